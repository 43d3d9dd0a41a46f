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
  private final long expected;
  private final int waitMillis;
  private final Consumer<byte[]> onCall;
  private final AtomicLong handled = new AtomicLong();
  private final CompletableFuture<Void> all = new CompletableFuture<>();

  /**
   * @param expected how many messages there are
   * @param waitMillis how long each takes
   * @param onCall is told of each, first of all
   */
  Work(long expected, int waitMillis, Consumer<byte[]> onCall) {
    this.expected = expected;
    this.waitMillis = waitMillis;
    this.onCall = onCall;
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
    if (handled.incrementAndGet() == expected) {
      all.complete(null);
    }
  }

  /** Something went wrong beside the handler, so that not all will come. */
  void failed(Throwable cause) {
    all.completeExceptionally(cause);
  }

  /** Waits until all were handled. */
  void await(Duration limit) throws InterruptedException {
    try {
      all.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new BenchException(
          handled + " of " + expected + " messages were handled within " + limit.toSeconds() + " s",
          e);
    } catch (ExecutionException e) {
      throw new BenchException("a message could not be handled: " + e.getCause(), e);
    }
  }
}
