package dev.contrail.jetstream;

/** A message was not published: no stream has it. The message says why, in one sentence. */
public final class NotPublishedException extends ContrailException {
  private static final long serialVersionUID = 1L;

  NotPublishedException(String message) {
    super(message);
  }
}
