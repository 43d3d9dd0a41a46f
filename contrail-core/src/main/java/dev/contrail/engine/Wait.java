package dev.contrail.engine;

import java.time.Duration;

/** The time between two tries of a store: 1 s, then 2 s, … 30 s. */
final class Wait {
  private static final long FIRST = Duration.ofSeconds(1).toNanos();
  private static final long LONGEST = Duration.ofSeconds(30).toNanos();

  private long nanos;
  private long untilNanos;

  void begin(Now now) {
    nanos = FIRST;
    untilNanos = now.nanos() + nanos;
  }

  void beginLonger(Now now) {
    nanos = Math.min(nanos * 2, LONGEST);
    untilNanos = now.nanos() + nanos;
  }

  boolean isOver(Now now) {
    return now.nanos() - untilNanos >= 0;
  }
}
