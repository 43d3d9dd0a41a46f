package dev.contrail.operations.replay;

import java.time.Duration;

/**
 * A moment in the life of this process. Two clocks tell what has passed since, and the one that
 * says more is believed: the monotonic one stands still while a machine sleeps, the other may be
 * set back.
 */
record Moment(long nanos, long millis) {
  static Moment now() {
    return new Moment(System.nanoTime(), System.currentTimeMillis());
  }

  Moment minus(Duration ago) {
    return new Moment(nanos - ago.toNanos(), millis - ago.toMillis());
  }

  Duration elapsed() {
    Duration monotonic = Duration.ofNanos(System.nanoTime() - nanos);
    Duration wall = Duration.ofMillis(System.currentTimeMillis() - millis);
    return monotonic.compareTo(wall) > 0 ? monotonic : wall;
  }
}
