package dev.contrail.jetstream;

/** A request that the server passed on to nobody: nothing can have come of it. */
final class NobodyListensException extends ContrailException {
  private static final long serialVersionUID = 1L;

  NobodyListensException(ContrailException unanswered) {
    super(String.valueOf(unanswered.getMessage()), unanswered);
  }
}
