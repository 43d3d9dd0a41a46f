package dev.contrail.event;

/** A stored event cannot be read. The message is one sentence that says which and why. */
public final class UnreadableEventException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreadableEventException(String which, String problem) {
    super("The " + which + " cannot be read: " + problem + ".");
  }

  UnreadableEventException(EventAddress address, String problem) {
    super(
        "An event of the dead letter "
            + address.entry()
            + " cannot be read ("
            + address.family().name().toLowerCase(java.util.Locale.ROOT)
            + (address.step() > 0 ? " " + address.step() : "")
            + "): "
            + problem
            + ".");
  }
}
