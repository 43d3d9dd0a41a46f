package dev.contrail.operations.guard;

/** How a message is let go of. */
public enum HowReleased {
  /** Deleted from its stream, where it waited for this consumer alone. */
  DELETED("deleted from its stream"),
  /** Acknowledged for its consumer; others still get it. */
  ACKED("acknowledged for its consumer");

  private final String text;

  HowReleased(String text) {
    this.text = text;
  }

  /** In words. */
  public String text() {
    return text;
  }
}
