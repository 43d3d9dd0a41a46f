package dev.contrail.console.access;

/** What is stored as a token is none, or of another release. */
final class UnreadableTokenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreadableTokenException(String message) {
    super(message);
  }
}
