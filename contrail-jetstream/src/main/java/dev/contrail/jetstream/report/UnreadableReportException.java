package dev.contrail.jetstream.report;

/**
 * What is stored there is not what it should be, or from a newer release. Says so in a sentence.
 */
public final class UnreadableReportException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreadableReportException(String message) {
    super(message);
  }

  UnreadableReportException(String message, Throwable cause) {
    super(message, cause);
  }
}
