package dev.contrail.bench.report;

import java.util.List;
import java.util.Optional;

/**
 * How long a message takes from its publication to the call of the handler.
 *
 * @param perSecond how many messages were published a second
 * @param seconds for how long, for each contender
 */
public record Latency(int perSecond, double seconds, List<Entry> entries) {
  /**
   * One contender.
   *
   * @param added the same less that of (a)
   */
  public record Entry(
      String id, String name, long messages, Percentiles millis, Percentiles added) {}

  /** In milliseconds. */
  public record Percentiles(double p50, double p99, double p999) {
    /** The difference, percentile by percentile. */
    public Percentiles less(Percentiles other) {
      return new Percentiles(
          Decimals.round(p50 - other.p50, 3),
          Decimals.round(p99 - other.p99, 3),
          Decimals.round(p999 - other.p999, 3));
    }
  }

  public Latency {
    entries = List.copyOf(entries);
  }

  /** What that contender did, if it took part. */
  public Optional<Entry> of(Contender contender) {
    return entries.stream().filter(entry -> entry.id().equals(contender.id())).findFirst();
  }
}
