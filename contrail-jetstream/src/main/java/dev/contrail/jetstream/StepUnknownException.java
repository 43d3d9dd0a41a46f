package dev.contrail.jetstream;

/** Whether a message is a copy that a replay published is not known yet. */
final class StepUnknownException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StepUnknownException() {
    super(
        "the event that decided on its replay is not found, since a server lags behind or its headers"
            + " are forged");
  }
}
