package dev.contrail.operations.transfer;

/** What is to be imported cannot be read. The message is one sentence that says why. */
public final class UnreadableExportException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreadableExportException(String problem) {
    super("This is no exported dead letter: " + problem + ".");
  }
}
