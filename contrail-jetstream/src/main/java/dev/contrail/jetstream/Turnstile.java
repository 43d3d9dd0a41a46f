package dev.contrail.jetstream;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets so many tasks be under way at once; the others wait their turn. Requests that are sent all
 * at once would wait for each other in the client and time out there. Thread-safe.
 */
final class Turnstile {
  private final int most;
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private int underWay;
  private boolean admitting;

  Turnstile(int most) {
    this.most = most;
  }

  /** Begins the task now or when it is its turn, on any thread. */
  <T> CompletableFuture<T> pass(Supplier<CompletableFuture<T>> task) {
    CompletableFuture<T> result = new CompletableFuture<>();
    synchronized (this) {
      waiting.add(() -> begin(task, result));
    }
    admit();
    return result;
  }

  private <T> void begin(Supplier<CompletableFuture<T>> task, CompletableFuture<T> result) {
    CompletableFuture<T> begun;
    try {
      begun = task.get();
    } catch (RuntimeException | Error e) {
      begun = CompletableFuture.failedFuture(e);
    }
    var unused =
        begun.whenComplete(
            (value, failure) -> {
              synchronized (this) {
                underWay--;
              }
              if (failure == null) {
                result.complete(value);
              } else {
                result.completeExceptionally(failure);
              }
              admit();
            });
  }

  /** A task that is done at once comes back here: the first caller goes on, not the stack. */
  private void admit() {
    synchronized (this) {
      if (admitting) {
        return;
      }
      admitting = true;
    }
    for (Runnable next = next(); next != null; next = next()) {
      next.run();
    }
  }

  private synchronized @Nullable Runnable next() {
    Runnable first = underWay < most ? waiting.poll() : null;
    if (first == null) {
      admitting = false;
    } else {
      underWay++;
    }
    return first;
  }
}
