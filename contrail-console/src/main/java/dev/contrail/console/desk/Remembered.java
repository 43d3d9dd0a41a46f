package dev.contrail.console.desk;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An answer that many ask for: one asks, the others get what it learned, a failure too. Nobody
 * waits long for somebody else who asks: they get what was known before. Thread-safe.
 */
public final class Remembered<T> {
  private static final Duration FAILURE_FRESH = Duration.ofSeconds(2);
  private static final long PATIENCE_MILLIS = 2_000;

  private final Duration fresh;
  private final ReentrantLock asking = new ReentrantLock();
  private volatile @Nullable T value;
  private volatile @Nullable RuntimeException failure;
  private volatile Instant at = Instant.MIN;
  private volatile Instant failedAt = Instant.MIN;
  private volatile Instant expiredAt = Instant.MIN;

  /**
   * Nothing is known yet.
   *
   * @param fresh how old an answer may be
   */
  public Remembered(Duration fresh) {
    this.fresh = fresh;
  }

  /**
   * The answer, as old as it may be at most, unless another is on its way for long.
   *
   * @throws Refusal when nothing is known, and nothing comes
   */
  public T get(Supplier<T> ask, Instant now) {
    T known = fresh(now);
    if (known != null) {
      return known;
    }
    if (!isMyTurn()) {
      T old = value;
      if (old != null) {
        return old;
      }
      throw new Refusal(
          Refusal.Kind.UNAVAILABLE, "The NATS server takes its time to answer; try again.");
    }
    try {
      known = fresh(now);
      return known != null ? known : asked(ask, now);
    } finally {
      asking.unlock();
    }
  }

  /** No answer is given from now on that was asked for before, nor one that is on its way. */
  void expire(Instant now) {
    expiredAt = now;
  }

  private boolean isMyTurn() {
    try {
      return asking.tryLock(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private @Nullable T fresh(Instant now) {
    RuntimeException failed = failure;
    if (failed != null && failedAt.plus(FAILURE_FRESH).isAfter(now)) {
      throw failed;
    }
    return at.isAfter(expiredAt) && at.plus(fresh).isAfter(now) ? value : null;
  }

  private T asked(Supplier<T> ask, Instant now) {
    try {
      T answer = ask.get();
      failure = null;
      value = answer;
      at = now;
      return answer;
    } catch (RuntimeException e) {
      failure = e;
      failedAt = now;
      throw e;
    }
  }
}
