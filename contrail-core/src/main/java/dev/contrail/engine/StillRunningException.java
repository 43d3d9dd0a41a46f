package dev.contrail.engine;

/** A message came back while the handler that was interrupted for it still runs in this process. */
final class StillRunningException extends Exception {
  private static final long serialVersionUID = 1L;

  StillRunningException() {
    super(
        "the handler of an earlier delivery timed out, was interrupted and still runs",
        null,
        false,
        false);
  }
}
