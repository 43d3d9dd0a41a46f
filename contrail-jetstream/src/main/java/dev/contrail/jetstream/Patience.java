package dev.contrail.jetstream;

import java.time.Duration;

/**
 * When something is to be tried that is done every few seconds, and ever more rarely while it
 * fails. Not thread-safe.
 */
final class Patience {
  private static final Duration LONGEST = Duration.ofMinutes(5);
  private static final int MOST_DOUBLINGS = 10;

  private final long usualNanos;
  private long dueNanos;
  private int failures;

  Patience(Duration usual, long nowNanos) {
    this.usualNanos = usual.toNanos();
    this.dueNanos = nowNanos;
  }

  boolean isDue(long nowNanos) {
    return nowNanos - dueNanos >= 0;
  }

  void begun(long nowNanos) {
    dueNanos = nowNanos + usualNanos;
  }

  /** Returns whether it failed before. */
  boolean succeeded() {
    boolean hadFailed = failures > 0;
    failures = 0;
    return hadFailed;
  }

  /** Returns whether that is new. */
  boolean failed(long nowNanos) {
    failures++;
    long wait = usualNanos << Math.min(failures, MOST_DOUBLINGS);
    dueNanos = nowNanos + Math.min(wait, LONGEST.toNanos());
    return failures == 1;
  }

  /** Something has changed: try at the next occasion. */
  void soon(long nowNanos) {
    dueNanos = nowNanos;
  }
}
