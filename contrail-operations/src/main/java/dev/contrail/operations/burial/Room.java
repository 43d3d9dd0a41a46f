package dev.contrail.operations.burial;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Bounds what is in memory at once. How large something is, is known only when it is read: so few
 * are read at a time, and none while too much is held. Thread-safe.
 */
final class Room {
  private final long mostHeld;
  private final int mostReads;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private long held;
  private int reads;

  /**
   * For that many bytes, and as many again while they are read.
   *
   * @param largest the size of the largest that may come
   */
  Room(long bytes, long largest) {
    this.mostHeld = bytes;
    this.mostReads = (int) Math.max(1, bytes / Math.max(1, largest));
  }

  /** Reads something and uses it, when there is room; it is held until that is done. */
  <T, R> CompletableFuture<R> use(
      Supplier<CompletableFuture<T>> read,
      ToLongFunction<T> size,
      Function<T, CompletableFuture<R>> use) {
    CompletableFuture<R> done = new CompletableFuture<>();
    synchronized (this) {
      waiting.add(() -> begin(read, size, use, done));
    }
    beginWhatMay();
    return done;
  }

  private <T, R> void begin(
      Supplier<CompletableFuture<T>> read,
      ToLongFunction<T> size,
      Function<T, CompletableFuture<R>> use,
      CompletableFuture<R> done) {
    var unused =
        begun(read)
            .whenComplete(
                (value, failure) -> {
                  long bytes = failure == null ? size.applyAsLong(value) : 0;
                  wasRead(bytes);
                  CompletableFuture<R> used =
                      failure == null
                          ? begun(() -> use.apply(value))
                          : CompletableFuture.failedFuture(failure);
                  end(used, bytes, done);
                });
  }

  private <R> void end(CompletableFuture<R> used, long bytes, CompletableFuture<R> done) {
    var unused =
        used.whenComplete(
            (result, why) -> {
              wasUsed(bytes);
              if (why == null) {
                done.complete(result);
              } else {
                done.completeExceptionally(why);
              }
            });
  }

  private static <T> CompletableFuture<T> begun(Supplier<CompletableFuture<T>> act) {
    try {
      return act.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void wasRead(long bytes) {
    synchronized (this) {
      reads--;
      held += bytes;
    }
    beginWhatMay();
  }

  private void wasUsed(long bytes) {
    synchronized (this) {
      held -= bytes;
    }
    beginWhatMay();
  }

  private void beginWhatMay() {
    while (true) {
      Runnable next;
      synchronized (this) {
        if (waiting.isEmpty() || reads >= mostReads || held >= mostHeld) {
          return;
        }
        reads++;
        next = waiting.remove();
      }
      next.run();
    }
  }
}
