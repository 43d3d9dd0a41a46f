package dev.contrail.server;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another process does, which nothing announces. */
final class Waiting {
  private static final Duration STEP = Duration.ofMillis(10);

  private Waiting() {}

  /** True as soon as the condition holds; false if it did not within the limit. */
  static boolean until(Duration limit, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > limit.toNanos()) {
        return false;
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new NatsServerException("interrupted while waiting for a nats-server");
      }
      LockSupport.parkNanos(STEP.toNanos());
    }
    return true;
  }
}
