package dev.contrail;

/** The message can never be processed: dead-letter it now instead of trying again. */
public class RejectedMessageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public RejectedMessageException(String message) {
    super(message);
  }

  public RejectedMessageException(String message, Throwable cause) {
    super(message, cause);
  }
}
