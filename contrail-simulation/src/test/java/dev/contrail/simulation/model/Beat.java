package dev.contrail.simulation.model;

import java.time.Duration;

/**
 * The time of scripts. Requests happen in the first part of a beat; all that happens by itself
 * falls due half a beat away from that.
 */
final class Beat {
  static final Duration LENGTH = Duration.ofMillis(1500);

  /** How much of a beat the requests may take. */
  static final Duration REQUESTS = Duration.ofMillis(620);

  private Beat() {}

  /** So many beats and a half. */
  static Duration andAHalf(int beats) {
    return LENGTH.multipliedBy(beats).plus(LENGTH.dividedBy(2));
  }

  static long of(long nanos) {
    return Math.floorDiv(nanos, LENGTH.toNanos());
  }
}
