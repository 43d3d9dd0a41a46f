package dev.contrail.bench;

import dev.contrail.bench.report.BenchOptions;
import dev.contrail.bench.report.Workload;
import java.time.Duration;
import java.util.List;

/**
 * How much is measured.
 *
 * @param rounds of each contender and workload, after those to warm up
 * @param warmUps before the first workload; before the others {@link #LATER_WARM_UPS}
 * @param roundLength about how long each round of a contender is to last
 * @param mostMessages never more than this anywhere
 */
public record BenchPlan(
    boolean quick,
    int rounds,
    int warmUps,
    Duration roundLength,
    List<Workload> workloads,
    LatencyPlan latency,
    LongRunPlan longRun,
    List<Integer> ledgerSizes,
    int mostMessages) {

  /**
   * How latency is measured.
   *
   * @param slices how often each contender's turn comes
   * @param slice how long each of its turns lasts
   */
  public record LatencyPlan(int perSecond, int slices, Duration slice) {}

  /**
   * How start and memory are measured.
   *
   * @param completions how many are behind a worker whose start is timed
   * @param starts how often that is timed
   * @param messages how many have been processed when the heap is looked at
   */
  public record LongRunPlan(int completions, int starts, int messages) {}

  /** One to see how fast each is, one to be on its feet again. */
  static final int LATER_WARM_UPS = 2;

  /** The same for all contenders: MaxAckPending of their consumers, and Contrail's window. */
  static final int WINDOW = 2_048;

  /** How many messages a bare client asks for at once. */
  static final int BATCH = 2_000;

  private static final int SMALL = 256;
  private static final int LARGE = 4_096;
  private static final int WAIT_MILLIS = 20;
  private static final int LATENCY_PER_SECOND = 2_000;
  private static final List<Integer> LEDGER_SIZES = List.of(10_000, 100_000, 1_000_000, 10_000_000);

  public BenchPlan {
    workloads = List.copyOf(workloads);
    ledgerSizes = List.copyOf(ledgerSizes);
  }

  /** Everything; some ten minutes. */
  public static BenchPlan complete() {
    return new BenchPlan(
        false,
        7,
        6,
        Duration.ofSeconds(2),
        List.of(
            new Workload(SMALL, 0),
            new Workload(LARGE, 0),
            new Workload(SMALL, WAIT_MILLIS),
            new Workload(LARGE, WAIT_MILLIS)),
        new LatencyPlan(LATENCY_PER_SECOND, 5, Duration.ofSeconds(5)),
        new LongRunPlan(1_000_000, 5, 2_000_000),
        LEDGER_SIZES,
        Integer.MAX_VALUE);
  }

  /** Less of everything, in less than three minutes. */
  public static BenchPlan brief() {
    return new BenchPlan(
        true,
        5,
        7,
        Duration.ofMillis(700),
        List.of(new Workload(SMALL, 0), new Workload(LARGE, 0), new Workload(SMALL, WAIT_MILLIS)),
        new LatencyPlan(LATENCY_PER_SECOND, 2, Duration.ofMillis(1_500)),
        new LongRunPlan(250_000, 3, 250_000),
        LEDGER_SIZES,
        Integer.MAX_VALUE);
  }

  /** The same with so many rounds. */
  public BenchPlan withRounds(int newRounds) {
    return new BenchPlan(
        quick,
        newRounds,
        warmUps,
        roundLength,
        workloads,
        latency,
        longRun,
        ledgerSizes,
        mostMessages);
  }

  /** The same with never more than so many messages in anything that is measured. */
  public BenchPlan withMostMessages(int most) {
    return new BenchPlan(
        quick,
        rounds,
        warmUps,
        roundLength,
        workloads,
        latency,
        new LongRunPlan(
            Math.min(longRun.completions, most),
            longRun.starts,
            Math.min(longRun.messages, 2 * most)),
        ledgerSizes.stream().map(size -> Math.min(size, most)).distinct().toList(),
        most);
  }

  /** How many rounds come before those that count. */
  int warmUps(Workload workload) {
    return workloads.indexOf(workload) == 0 ? warmUps : Math.min(warmUps, LATER_WARM_UPS);
  }

  /** How many measurements that makes with so many contenders. */
  int measurements(int contenders) {
    int throughput = workloads.stream().mapToInt(one -> warmUps(one) + rounds).sum();
    return contenders * (throughput + latency.slices) + 1 + longRun.starts + 1 + ledgerSizes.size();
  }

  BenchOptions options() {
    return new BenchOptions(
        quick,
        rounds,
        warmUps,
        roundLength.toMillis() / 1000.0,
        WINDOW,
        BATCH,
        Workload.CONCURRENCY);
  }
}
