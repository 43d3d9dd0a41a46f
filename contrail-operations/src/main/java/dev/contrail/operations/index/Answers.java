package dev.contrail.operations.index;

import dev.contrail.jetstream.ContrailException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Waits for what the server says. */
final class Answers {
  private Answers() {}

  /**
   * The answer.
   *
   * @throws ContrailException when there is none, or an error instead
   */
  static <T> T of(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw cause instanceof RuntimeException runtime
          ? runtime
          : new ContrailException(String.valueOf(cause.getMessage()), cause);
    }
  }
}
