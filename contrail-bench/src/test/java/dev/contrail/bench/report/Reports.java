package dev.contrail.bench.report;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Reports as a bench makes them, with numbers that are easy to follow. */
final class Reports {
  static final Workload SMALL = new Workload(256, 0);
  static final Workload WAITING = new Workload(256, 20);

  private Reports() {}

  static Throughput throughput(Workload workload, double ledger, double perMessage) {
    List<Double> bare = List.of(100_000.0, 50_000.0, 80_000.0);
    return new Throughput(
        workload,
        List.of(
            Throughput.Entry.of(Contender.BARE, workload, 100_000, bare, bare),
            entry(Contender.JETSTREAM_LEDGER, workload, ledger, bare),
            entry(Contender.REDIS_PER_MESSAGE, workload, perMessage, bare)));
  }

  private static Throughput.Entry entry(
      Contender contender, Workload workload, double ratio, List<Double> bare) {
    List<Double> rates = bare.stream().map(rate -> rate * ratio).toList();
    return Throughput.Entry.of(contender, workload, 100_000, rates, bare);
  }

  static BenchReport.Measured measured(Throughput... throughput) {
    Latency.Percentiles bare = new Latency.Percentiles(0.2, 1, 2);
    Latency.Percentiles ledger = new Latency.Percentiles(0.9, 4.5, 9.75);
    return new BenchReport.Measured(
        List.of(throughput),
        new Latency(
            2_000,
            4,
            List.of(
                new Latency.Entry("a", "bare client, ack", 8_000, bare, bare.less(bare)),
                new Latency.Entry(
                    "c", "Contrail, JetStream ledger", 8_000, ledger, ledger.less(bare)))),
        new Heap(2_000_000, 20_000_000, 21_000_000),
        new Start(1_000_000, new Spread(350, 300, 500)),
        List.of(
            new LedgerSize(10_000, 5_000, 900, 1, 90),
            new LedgerSize(10_000_000, 2_100_000, 430_000, 153, 120)));
  }

  static BenchReport report(boolean virtualThreads, BenchReport.Measured measured) {
    return BenchReport.of(
        Instant.EPOCH,
        61.26,
        new Conditions(
            "nats://127.0.0.1:4222",
            "2.9.10",
            true,
            1,
            Optional.of("7.0.15"),
            "17",
            virtualThreads,
            2,
            1L << 30,
            "Linux amd64"),
        new BenchOptions(true, 3, 2, 0.8, 2_048, 2_000, 500),
        measured,
        List.of(LeftOut.of(Contender.REDIS_LEDGER, "this release has <none> & no other")));
  }
}
