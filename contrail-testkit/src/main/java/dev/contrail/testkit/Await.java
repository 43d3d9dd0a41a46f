package dev.contrail.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a condition. */
final class Await {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Duration STEP = Duration.ofMillis(10);

  private Await() {}

  static void until(BooleanSupplier condition, Supplier<String> otherwise) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > LIMIT.toNanos()) {
        throw new AssertionError(otherwise.get() + ", " + LIMIT.toSeconds() + " s later");
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new AssertionError("interrupted: " + otherwise.get());
      }
      LockSupport.parkNanos(STEP.toNanos());
    }
  }
}
