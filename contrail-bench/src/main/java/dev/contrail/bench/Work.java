package dev.contrail.bench;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** What the handler does, the same for all contenders; it knows when all messages were handled. */
final class Work {
  private static final int LEAD_IN_PART = 10;
  private static final long LOOK_MILLIS = 1_000;

  private final long expected;
  private final int waitMillis;
  private final Consumer<byte[]> onCall;
  private final long leadIn;
  private final AtomicLong handled = new AtomicLong();
  private final CompletableFuture<Void> all = new CompletableFuture<>();
  private volatile long leadInNanos;

  /**
   * @param expected how many messages there are
   * @param waitMillis how long each takes
   * @param onCall is told of each, first of all
   */
  Work(long expected, int waitMillis, Consumer<byte[]> onCall) {
    this.expected = expected;
    this.waitMillis = waitMillis;
    this.onCall = onCall;
    this.leadIn = Math.max(1, expected / LEAD_IN_PART);
  }

  static Work counting(long expected, int waitMillis) {
    return new Work(expected, waitMillis, payload -> {});
  }

  boolean waits() {
    return waitMillis > 0;
  }

  void handle(byte[] payload) throws InterruptedException {
    onCall.accept(payload);
    if (waitMillis > 0) {
      Thread.sleep(waitMillis);
    }
    long count = handled.incrementAndGet();
    if (count == leadIn) {
      leadInNanos = System.nanoTime();
    }
    if (count == expected) {
      all.complete(null);
    }
  }

  /**
   * Messages a second, once all were handled.
   *
   * @param endedNanos when the last of them was done with. It began when the first tenth was
   *     handled: by then connections, windows and pools are what they will be.
   */
  double perSecond(long endedNanos) {
    return (expected - leadIn) * 1e9 / (endedNanos - leadInNanos);
  }

  /** Something went wrong beside the handler, so that not all will come. */
  void failed(Throwable cause) {
    all.completeExceptionally(cause);
  }

  /** Waits until all were handled, or for so long none was. */
  void await(Duration patience) throws InterruptedException {
    long seen = -1;
    long changed = System.nanoTime();
    while (!isDone(patience)) {
      long now = System.nanoTime();
      if (handled.get() != seen) {
        seen = handled.get();
        changed = now;
      } else if (now - changed >= patience.toNanos()) {
        throw new BenchException(
            seen + " of " + expected + " messages were handled, and then none for " + patience);
      }
    }
  }

  private boolean isDone(Duration patience) throws InterruptedException {
    try {
      all.get(Math.min(patience.toMillis(), LOOK_MILLIS), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new BenchException("a message could not be handled: " + e.getCause(), e);
    }
  }
}
