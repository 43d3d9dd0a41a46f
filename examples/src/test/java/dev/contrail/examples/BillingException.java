package dev.contrail.examples;

/** As a team wraps what goes wrong: with its cause, or the delay would be lost. */
final class BillingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BillingException(Throwable cause) {
    super("billing failed", cause);
  }
}
