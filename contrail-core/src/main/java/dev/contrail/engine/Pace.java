package dev.contrail.engine;

import java.time.Duration;

/**
 * How many messages a worker should hold: about as many as it settles in a second. More would keep
 * them from other workers of the consumer, less would leave handlers idle.
 */
final class Pace {
  private static final long SLOT = Duration.ofMillis(50).toNanos();
  private static final double SLOTS_PER_SECOND = 20;
  private static final double DECAY = 0.9;

  private final int least;
  private final int most;
  private double perSecond;
  private int settledInSlot;
  private long slotEndNanos;

  Pace(int concurrency, int window) {
    this.least = Math.min(window, 2 * concurrency);
    this.most = window;
  }

  void settled() {
    settledInSlot++;
  }

  void tick(Now now) {
    long behind = now.nanos() - slotEndNanos;
    if (behind < 0) {
      return;
    }
    // A slot that ran over is longer, so its count must be spread over its true length.
    double length = 1 + Math.max(0, Math.min(behind, 20 * SLOT)) / (double) SLOT;
    perSecond = Math.max(settledInSlot / length * SLOTS_PER_SECOND, perSecond * DECAY);
    settledInSlot = 0;
    slotEndNanos = now.nanos() + SLOT;
  }

  int target() {
    return (int) Math.max(least, Math.min(most, perSecond));
  }
}
