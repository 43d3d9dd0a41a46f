package dev.contrail.operations.replay;

import dev.contrail.jetstream.Surroundings;
import java.time.Duration;

/**
 * A moment in the life of this process. Two clocks tell what has passed since, and the one that
 * says more is believed: the monotonic one stands still while a machine sleeps, the other may be
 * set back.
 */
record Moment(long nanos, long millis, Surroundings clocks) {
  static Moment now() {
    return now(Surroundings.jvm());
  }

  static Moment now(Surroundings clocks) {
    return new Moment(clocks.nanoTime(), clocks.clock().millis(), clocks);
  }

  /** What it is now by the same clocks. */
  Moment again() {
    return now(clocks);
  }

  Moment minus(Duration ago) {
    return new Moment(nanos - ago.toNanos(), millis - ago.toMillis(), clocks);
  }

  Duration elapsed() {
    Moment now = again();
    Duration monotonic = Duration.ofNanos(now.nanos - nanos);
    Duration wall = Duration.ofMillis(now.millis - millis);
    return monotonic.compareTo(wall) > 0 ? monotonic : wall;
  }
}
