package dev.contrail.policy;

import java.time.Duration;

/**
 * When a failed message is delivered again, and when it dies.
 *
 * @param deliveryLimit an unclassified failure on this delivery or a later one is the last; 100
 * @param backoff the delays of failures that name none
 * @param retryWindow a failure declared transient does not kill before this has passed since the
 *     message was published or first seen to fail, whichever is later; 24 h
 * @param longestDelay a longer delay is shortened to this; 1 h
 * @param undecodableAttempts how many deliveries an undecodable payload is given before the one on
 *     which it dies; 3
 * @param undecodableDelay the delay between them; 5 s
 */
public record RetryPolicy(
    long deliveryLimit,
    Backoff backoff,
    Duration retryWindow,
    Duration longestDelay,
    long undecodableAttempts,
    Duration undecodableDelay) {
  /** What a message waits that asks again and again to be delivered at once. */
  public static final Duration HOT_LOOP_DELAY = Duration.ofMillis(100);

  public static final RetryPolicy DEFAULT =
      new RetryPolicy(
          100,
          Backoff.DEFAULT,
          Duration.ofHours(24),
          Duration.ofHours(1),
          3,
          Duration.ofSeconds(5));

  public RetryPolicy {
    Check.atLeast("delivery limit", deliveryLimit, 1);
    Check.atMost("delivery limit", deliveryLimit, 1_000_000);
    Check.between("retry window", retryWindow, Duration.ZERO);
    Check.between("longest retry delay", longestDelay, HOT_LOOP_DELAY, Duration.ofDays(365));
    Check.notAbove("backoff longest", backoff.longest(), "the longest retry delay", longestDelay);
    Check.atLeast("undecodable attempts", undecodableAttempts, 0);
    Check.between("undecodable delay", undecodableDelay, Duration.ZERO);
    Check.notAbove("undecodable delay", undecodableDelay, "the longest retry delay", longestDelay);
  }

  public RetryPolicy withDeliveryLimit(long limit) {
    return new RetryPolicy(
        limit, backoff, retryWindow, longestDelay, undecodableAttempts, undecodableDelay);
  }

  public RetryPolicy withBackoff(Backoff newBackoff) {
    return new RetryPolicy(
        deliveryLimit,
        newBackoff,
        retryWindow,
        longestDelay,
        undecodableAttempts,
        undecodableDelay);
  }

  public RetryPolicy withRetryWindow(Duration window) {
    return new RetryPolicy(
        deliveryLimit, backoff, window, longestDelay, undecodableAttempts, undecodableDelay);
  }

  public RetryPolicy withLongestDelay(Duration longest) {
    return new RetryPolicy(
        deliveryLimit, backoff, retryWindow, longest, undecodableAttempts, undecodableDelay);
  }

  public RetryPolicy withUndecodable(long attempts, Duration delay) {
    return new RetryPolicy(deliveryLimit, backoff, retryWindow, longestDelay, attempts, delay);
  }

  /**
   * From this delivery on a message is a suspect: it may be what kills its worker, so it is started
   * apart from the others. Never later than the limit, or the last chance would be taken in
   * company.
   */
  public long suspectFrom() {
    return Math.min(4, deliveryLimit);
  }

  /** How long an unclassified failure is retried on average before the limit is reached. */
  public Duration expectedRetryTime() {
    return backoff.expectedUntil(deliveryLimit);
  }
}
