package dev.contrail.bench;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** So many requests at once, the next as soon as one is answered. */
final class UnderWay {
  private static final int MOST = 1_000;

  private final Semaphore room = new Semaphore(MOST);
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  void add(CompletableFuture<?> request) throws InterruptedException {
    room.acquire();
    var unused =
        request.whenComplete(
            (done, failed) -> {
              failure.compareAndSet(null, failed);
              room.release();
            });
  }

  /** Waits for the rest. */
  void await() throws InterruptedException {
    room.acquire(MOST);
    Throwable failed = failure.get();
    if (failed != null) {
      throw new BenchException("the server does not take it: " + failed.getMessage(), failed);
    }
  }
}
