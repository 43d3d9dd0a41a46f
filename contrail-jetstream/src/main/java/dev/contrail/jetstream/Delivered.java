package dev.contrail.jetstream;

import dev.contrail.engine.Now;
import dev.contrail.engine.Worker;
import dev.contrail.evidence.DeadLetterId;
import io.nats.client.Message;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A delivery as the client received it, and the signal that it arrived. */
final class Delivered implements Signal {
  private static final byte[] NO_BYTES = {};

  private final Message message;
  private final String replyTo;
  private final AckSubject ack;
  private final Now arrived;
  private @Nullable DeadLetterId deadLetter;

  Delivered(Message message, String replyTo, Now arrived) {
    this.message = message;
    this.replyTo = replyTo;
    this.ack = AckSubject.parse(replyTo);
    this.arrived = arrived;
  }

  Message message() {
    return message;
  }

  String replyTo() {
    return replyTo;
  }

  /** The payload, never null. */
  byte[] data() {
    byte[] data = message.getData();
    return data == null ? NO_BYTES : data;
  }

  Instant publishedAt() {
    return Instant.ofEpochSecond(
        ack.publishedNanos() / 1_000_000_000, ack.publishedNanos() % 1_000_000_000);
  }

  Now arrived() {
    return arrived;
  }

  /** Under which id its dead letter is stored, once it is. */
  Optional<DeadLetterId> deadLetter() {
    return Optional.ofNullable(deadLetter);
  }

  void deadLetter(DeadLetterId id) {
    deadLetter = id;
  }

  @Override
  public void apply(Worker<Delivered> worker, Now now) {
    worker.delivered(
        this,
        ack.sequence(),
        ack.deliveries(),
        ack.publishedNanos() / 1_000_000,
        message.consumeByteCount(),
        arrived.nanos(),
        now);
  }
}
