package dev.contrail.operations.doctor;

import java.time.Duration;
import java.util.Optional;

/**
 * How often the messages of a consumer came again.
 *
 * @param count how many deliveries were not the first of their message
 * @param perSecond the same by the time it took
 * @param over that time
 * @param atLeast whether there may have been more, as with a filter: the server counts deliveries,
 *     and of those that are the first only how far they came in the stream
 */
public record RedeliveryRate(long count, double perSecond, Duration over, boolean atLeast) {
  /** Empty when one moment is not after the other, or of another consumer of that name. */
  static Optional<RedeliveryRate> between(
      Survey.ConsumerMoment before, Survey.ConsumerMoment now, boolean filtered) {
    Duration over = Duration.between(before.at(), now.at());
    long deliveries = now.deliveries() - before.deliveries();
    long first = now.deliveredSequence() - before.deliveredSequence();
    if (over.isNegative() || over.isZero() || deliveries < 0 || first < 0) {
      return Optional.empty();
    }
    long count = Math.max(0, deliveries - first);
    return Optional.of(new RedeliveryRate(count, count * 1e9 / over.toNanos(), over, filtered));
  }
}
