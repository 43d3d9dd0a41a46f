package dev.contrail.jetstream;

/** The stream that a consumer is to work on does not exist. */
public final class StreamNotFoundException extends ContrailException {
  private static final long serialVersionUID = 1L;

  StreamNotFoundException(String stream) {
    super(
        "Stream "
            + stream
            + " does not exist: create it first, for example with “nats stream add "
            + stream
            + "”, or let contrail work do so with --create.");
  }
}
