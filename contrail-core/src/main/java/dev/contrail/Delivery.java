package dev.contrail;

import java.time.Instant;

/**
 * One delivery of one message. Immutable, safe to hand to other threads.
 *
 * @param <T> what the codec makes of the payload
 */
public interface Delivery<T> {
  /** The decoded payload. */
  T payload();

  /** The payload as it was published. The caller must not change the array. */
  byte[] data();

  /** The message's headers as it was published with them. */
  Headers headers();

  String stream();

  /** The message's sequence in its stream. */
  long sequence();

  String subject();

  String consumer();

  /** How often the server has delivered this message to this consumer, this time included. */
  long deliveryCount();

  /** When the stream stored the message. */
  Instant publishedAt();

  /** When this delivery reached this worker. */
  Instant deliveredAt();

  /**
   * The same for every delivery of this message, for ever, and different for any other message,
   * also after the stream was deleted and made again: {@code <stream>.<incarnation>.<sequence>}.
   * Hand it to whatever the handler calls, so that a repeated run has no second effect. A copy that
   * a replay published has the key of the message that died first, with {@code .v<version>} behind
   * it where the payload was edited.
   */
  String idempotencyKey();
}
