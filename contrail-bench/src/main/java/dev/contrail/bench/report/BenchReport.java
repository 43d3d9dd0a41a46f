package dev.contrail.bench.report;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * All that a bench found. The ratios at the top are medians of the first workload.
 *
 * @param ledgerRatio (c) to (a)
 * @param redisRatio (d) to (a)
 * @param perMessageRedisRatio (e) to (a)
 */
public record BenchReport(
    Instant startedAt,
    double seconds,
    Optional<Double> ledgerRatio,
    Optional<Double> redisRatio,
    Optional<Double> perMessageRedisRatio,
    Conditions conditions,
    BenchOptions options,
    List<Throughput> throughput,
    Latency latency,
    Heap heap,
    Start start,
    List<LedgerSize> ledgerSizes,
    List<LeftOut> leftOut,
    List<Aim> aims) {

  /** What was measured, before it is judged. */
  public record Measured(
      List<Throughput> throughput,
      Latency latency,
      Heap heap,
      Start start,
      List<LedgerSize> ledgerSizes) {
    public Measured {
      throughput = List.copyOf(throughput);
      ledgerSizes = List.copyOf(ledgerSizes);
    }
  }

  public BenchReport {
    throughput = List.copyOf(throughput);
    ledgerSizes = List.copyOf(ledgerSizes);
    leftOut = List.copyOf(leftOut);
    aims = List.copyOf(aims);
  }

  /** Draws the conclusions. */
  public static BenchReport of(
      Instant startedAt,
      double seconds,
      Conditions conditions,
      BenchOptions options,
      Measured measured,
      List<LeftOut> leftOut) {
    Throughput first = measured.throughput().get(0);
    return new BenchReport(
        startedAt,
        Decimals.round(seconds, 1),
        ratio(first, Contender.JETSTREAM_LEDGER),
        ratio(first, Contender.REDIS_LEDGER),
        ratio(first, Contender.REDIS_PER_MESSAGE),
        conditions,
        options,
        measured.throughput(),
        measured.latency(),
        measured.heap(),
        measured.start(),
        measured.ledgerSizes(),
        leftOut,
        Aims.of(measured, conditions));
  }

  private static Optional<Double> ratio(Throughput throughput, Contender contender) {
    return throughput.of(contender).map(entry -> entry.ratioToBare().median());
  }
}
