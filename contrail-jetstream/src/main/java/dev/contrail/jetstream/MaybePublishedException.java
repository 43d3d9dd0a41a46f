package dev.contrail.jetstream;

/**
 * Nobody can tell whether a stream has a message: it was sent, no answer came, and to send it once
 * more might store it twice. To publish it again under the same key is safe only while the stream's
 * duplicate window, which began when it was first sent, has not ended.
 */
public final class MaybePublishedException extends ContrailException {
  private static final long serialVersionUID = 1L;

  MaybePublishedException(String message) {
    super(message);
  }
}
