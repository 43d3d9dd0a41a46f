package dev.contrail.engine;

/** The evidence of a message whose run was started and never came to an outcome. */
final class NoOutcomeException extends Exception {
  private static final long serialVersionUID = 1L;

  NoOutcomeException(long deliveries) {
    super(
        "no outcome recorded: the worker that ran delivery "
            + deliveries
            + " died or hung while it ran alone",
        null,
        false,
        false);
  }
}
