package dev.contrail.cli.work;

/**
 * A handler in another language failed without saying whether trying again will help. It has no
 * stack trace: ours would say nothing of where the handler failed.
 */
final class HandlerFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  HandlerFailedException(String message) {
    super(message, null, false, false);
  }
}
