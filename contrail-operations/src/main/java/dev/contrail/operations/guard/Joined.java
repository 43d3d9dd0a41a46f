package dev.contrail.operations.guard;

import dev.contrail.jetstream.ContrailException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Waits for what others do. */
final class Joined {
  private Joined() {}

  /**
   * Its result.
   *
   * @throws ContrailException as it failed
   */
  static <T> T of(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }
}
