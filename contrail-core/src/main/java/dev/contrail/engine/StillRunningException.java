package dev.contrail.engine;

import org.jspecify.annotations.Nullable;

/** A message came back while the handler that was interrupted for it still runs in this process. */
final class StillRunningException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * @param timeout with the stack of the handler that hangs, where that is known
   */
  StillRunningException(@Nullable Throwable timeout) {
    super(
        "the handler of an earlier delivery timed out, was interrupted and still runs",
        timeout,
        false,
        false);
  }
}
