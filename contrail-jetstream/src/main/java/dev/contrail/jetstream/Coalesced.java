package dev.contrail.jetstream;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Does something a while after it was asked for, with one timer however often that is: it is done
 * once more for all who asked while it was due. Thread-safe.
 */
final class Coalesced {
  private static final int IDLE = 0;
  private static final int DUE_AND_ASKED_AGAIN = 2;

  private final Surroundings.Timer timer;
  private final Duration delay;
  private final Runnable task;
  private final AtomicInteger asked = new AtomicInteger();

  Coalesced(Surroundings.Timer timer, Duration delay, Runnable task) {
    this.timer = timer;
    this.delay = delay;
    this.task = task;
  }

  void ask() {
    if (asked.getAndUpdate(it -> Math.min(it + 1, DUE_AND_ASKED_AGAIN)) == IDLE) {
      timer.in(delay, this::run);
    }
  }

  private void run() {
    if (asked.decrementAndGet() > IDLE) {
      timer.in(delay, this::run);
    }
    task.run();
  }
}
