package dev.contrail.jetstream;

/** The consumer is configured in a way that would break a promise. */
public final class UnsafeConsumerException extends ContrailException {
  private static final long serialVersionUID = 1L;

  UnsafeConsumerException(String message) {
    super(message);
  }
}
