package dev.contrail.plan;

/** A stored piece of a plan cannot be read. The message is one sentence that says which and why. */
public final class UnreadablePlanException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreadablePlanException(String plan, String problem) {
    super("The plan " + plan + " cannot be read: " + problem + ".");
  }
}
