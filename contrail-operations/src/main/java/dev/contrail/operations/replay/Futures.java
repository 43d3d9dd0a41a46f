package dev.contrail.operations.replay;

import dev.contrail.jetstream.ContrailException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Waits for what is asked of the server. */
final class Futures {
  private Futures() {}

  /**
   * The result.
   *
   * @throws ContrailException when it failed so, or for another reason that is of the server
   */
  static <T> T get(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      throw asRuntime(e.getCause() == null ? e : e.getCause());
    }
  }

  static RuntimeException asRuntime(Throwable failure) {
    return failure instanceof RuntimeException runtime
        ? runtime
        : new ContrailException(String.valueOf(failure.getMessage()), failure);
  }

  static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
