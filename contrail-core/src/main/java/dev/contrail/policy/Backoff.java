package dev.contrail.policy;

import java.time.Duration;

/**
 * Growing delays with full jitter: delivery <i>n</i> waits a random time between nothing and {@code
 * first × factor^(n-1)}, at most {@code longest}.
 *
 * @param first the ceiling of the first delay, 1 s by default
 * @param factor how the ceiling grows, 2 by default
 * @param longest where it stops growing, 5 min by default
 */
public record Backoff(Duration first, double factor, Duration longest) {
  public static final Backoff DEFAULT =
      new Backoff(Duration.ofSeconds(1), 2, Duration.ofMinutes(5));

  public Backoff {
    Check.between("backoff first", first, Duration.ofMillis(1));
    Check.between("backoff longest", longest, Duration.ofMillis(1));
    Check.notAbove("backoff first", first, "backoff longest", longest);
    if (!(factor >= 1 && factor <= 100)) {
      throw new IllegalArgumentException(
          "backoff factor is " + factor + ", but must be between 1 and 100");
    }
  }

  /**
   * The delay after the given delivery failed.
   *
   * @param deliveries how often the message was delivered, at least 1
   * @param jitter a random number from 0 (inclusive) to 1 (exclusive)
   */
  public Duration delay(long deliveries, double jitter) {
    return Duration.ofMillis((long) (ceilingMillis(deliveries) * jitter));
  }

  /** What all waits before the given delivery come to on average. */
  Duration expectedUntil(long deliveries) {
    double millis = 0;
    long delivery = 1;
    while (delivery < deliveries && ceilingMillis(delivery) < longest.toMillis()) {
      millis += ceilingMillis(delivery) / 2;
      delivery++;
    }
    millis += (deliveries - delivery) * (longest.toMillis() / 2.0);
    return Duration.ofMillis((long) millis);
  }

  private double ceilingMillis(long deliveries) {
    double ceiling = first.toMillis() * Math.pow(factor, deliveries - 1.0);
    return Math.min(ceiling, (double) longest.toMillis());
  }
}
