package dev.contrail.evidence;

/** A stored dead letter cannot be read. The message is one sentence that says which and why. */
public final class UnreadableEvidenceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreadableEvidenceException(DeadLetterId id, String problem) {
    super("The dead letter " + id + " cannot be read: " + problem + ".");
  }
}
