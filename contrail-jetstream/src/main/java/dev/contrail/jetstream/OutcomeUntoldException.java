package dev.contrail.jetstream;

/** It could not be told that a copy died. Not a matter of the dead-letter store, nor of others. */
final class OutcomeUntoldException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  OutcomeUntoldException(Throwable cause) {
    super(
        "the outcome of its replay cannot be stored: " + JetStreamApi.unwrapped(cause).getMessage(),
        cause);
  }
}
