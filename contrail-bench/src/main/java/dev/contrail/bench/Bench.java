package dev.contrail.bench;

import dev.contrail.bench.report.BenchReport;
import dev.contrail.bench.report.Conditions;
import dev.contrail.bench.report.Contender;
import dev.contrail.bench.report.LedgerSize;
import dev.contrail.bench.report.Throughput;
import dev.contrail.bench.report.Workload;
import dev.contrail.jetstream.Names;
import io.nats.client.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Measures what Contrail costs, beside bare clients on the same server in the same minutes. */
public final class Bench {
  private final BenchServer server;
  private final RedisTarget redis;
  private final BenchPlan plan;
  private final Progress progress;

  public Bench(BenchServer server, RedisTarget redis, BenchPlan plan, Progress progress) {
    this.server = server;
    this.redis = redis;
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * Runs it, for minutes. Whatever it made on the servers is deleted at the end, also when it fails
   * or its thread is interrupted.
   *
   * @throws BenchException when it cannot go on
   */
  public BenchReport run() throws InterruptedException {
    Instant startedAt = Instant.now();
    long started = System.nanoTime();
    Names names = new Names("contrail_bench_" + randomToken());
    try (Connection control = server.connections().get();
        Field field = Field.open(server, redis, names, control)) {
      field
          .leftOut()
          .forEach(one -> progress.found("(" + one.id() + ") is left out: " + one.why()));
      BenchReport.Measured measured = measure(field, control);
      double seconds = (System.nanoTime() - started) / 1e9;
      return BenchReport.of(
          startedAt,
          seconds,
          conditions(control, field.redisVersion()),
          plan.options(),
          measured,
          field.leftOut());
    }
  }

  private BenchReport.Measured measure(Field field, Connection control)
      throws InterruptedException {
    Steps steps = new Steps(progress, plan.measurements(field.racers().size()));
    ThroughputRounds rounds = new ThroughputRounds(plan, field.streams(), field.racers(), steps);
    List<Throughput> throughput = new ArrayList<>();
    for (Workload workload : plan.workloads()) {
      throughput.add(rounds.run(workload));
    }
    LatencyRounds latency =
        new LatencyRounds(plan, field.streams(), field.racers(), control, steps);
    LongRun longRun =
        new LongRun(
            plan.longRun(), field.streams(), field.racer(Contender.JETSTREAM_LEDGER), steps);
    var latencies = latency.run();
    LongRun.Result result = longRun.run();
    return new BenchReport.Measured(
        throughput, latencies, result.heap(), result.start(), ledgerSizes(steps));
  }

  private List<LedgerSize> ledgerSizes(Steps steps) throws InterruptedException {
    LedgerGrowth growth = new LedgerGrowth();
    List<LedgerSize> sizes = new ArrayList<>();
    for (int completions : plan.ledgerSizes()) {
      steps.begin(String.format(Locale.ROOT, "ledger with %,d completions", completions));
      LedgerSize size = growth.of(completions);
      sizes.add(size);
      steps.found(
          String.format(
              Locale.ROOT,
              "ledger with %,d completions: %.2f MB in memory, %.2f MB in the stream, %.0f ns a"
                  + " look-up",
              size.completions(),
              size.heapBytes() / 1e6,
              size.streamBytes() / 1e6,
              size.lookUpNanos()));
    }
    return sizes;
  }

  private Conditions conditions(Connection control, Optional<String> redisVersion) {
    return new Conditions(
        server.shown(),
        control.getServerInfo().getVersion(),
        server.embedded(),
        server.replicas(),
        redisVersion,
        System.getProperty("java.version", "unknown"),
        HandlerThreads.areVirtual(),
        Runtime.getRuntime().availableProcessors(),
        Runtime.getRuntime().maxMemory(),
        System.getProperty("os.name") + " " + System.getProperty("os.arch"));
  }

  private static String randomToken() {
    return Integer.toString(ThreadLocalRandom.current().nextInt(36 * 36 * 36 * 36 * 36), 36);
  }
}
