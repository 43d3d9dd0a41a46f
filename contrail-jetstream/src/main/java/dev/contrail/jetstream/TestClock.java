package dev.contrail.jetstream;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The machine's wall clock, moved ahead by a test. */
final class TestClock extends Clock {
  private volatile Duration ahead = Duration.ZERO;

  void advance(Duration by) {
    if (by.isNegative()) {
      throw new IllegalArgumentException("time does not go back, not even by " + by.negated());
    }
    ahead = ahead.plus(by);
  }

  @Override
  public Instant instant() {
    return Instant.now().plus(ahead);
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("a clock for instants alone");
  }
}
