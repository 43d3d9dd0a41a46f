package dev.contrail.cli.drill.place;

import java.time.Duration;

/** Waits for conditions. */
public final class Waiting {
  private static final long LOOK_EVERY_MILLIS = 20;

  /** Something that may be so by now. */
  public interface Condition {
    boolean holds() throws InterruptedException;
  }

  private Waiting() {}

  /** Waits until it holds, at most so long; returns whether it does. */
  public static boolean until(Duration limit, Condition condition) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      Thread.sleep(LOOK_EVERY_MILLIS);
    }
    return true;
  }

  /**
   * Waits until it holds.
   *
   * @param what is waited for, in a few words
   * @throws DrillException when that takes longer than {@code limit}
   */
  public static void require(Duration limit, String what, Condition condition)
      throws InterruptedException {
    if (!until(limit, condition)) {
      throw new DrillException("waited for " + limit.toSeconds() + " s for " + what);
    }
  }

  /** Lets so much time pass: what a drill does where time itself is what is tried. */
  public static void pass(Duration time) throws InterruptedException {
    Thread.sleep(time.toMillis());
  }
}
