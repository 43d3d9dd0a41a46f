package dev.contrail.engine;

import java.time.Duration;
import java.util.Optional;

/**
 * How many messages a worker should hold: about as many as it settles in a second. More would keep
 * them from other workers of the consumer, less would leave handlers idle.
 */
final class Pace {
  private static final long SLOT = Duration.ofMillis(50).toNanos();
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final double DECAY = 0.9;

  private final int least;
  private final int most;
  private double perSecond;
  private int settledInSlot;
  private Optional<Now> slotStart = Optional.empty();

  Pace(int concurrency, int window) {
    this.least = Math.min(window, 2 * concurrency);
    this.most = window;
  }

  void settled() {
    settledInSlot++;
  }

  void tick(Now now) {
    long length = slotStart.map(start -> now.nanos() - start.nanos()).orElse(SLOT);
    if (length < SLOT) {
      return;
    }
    // A slot that ran over is longer, so its count must be spread over its true length.
    double inSecond = settledInSlot * (double) SECOND / length;
    perSecond = Math.max(inSecond, perSecond * Math.pow(DECAY, length / (double) SLOT));
    settledInSlot = 0;
    slotStart = Optional.of(now);
  }

  int target() {
    return (int) Math.max(least, Math.min(most, perSecond));
  }
}
