package dev.contrail.jetstream;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.Headers;
import dev.contrail.evidence.OriginalMessage;
import io.nats.client.Message;

/** A delivery as the client received it. */
final class ClientDelivered extends Delivered {
  private static final byte[] NO_BYTES = {};

  private final Message message;
  private final String replyTo;

  ClientDelivered(Message message, String replyTo, long arrivedNanos) {
    super(AckSubject.parse(replyTo), arrivedNanos);
    this.message = message;
    this.replyTo = replyTo;
  }

  @Override
  String subject() {
    return message.getSubject();
  }

  @Override
  String replyTo() {
    return replyTo;
  }

  @Override
  boolean addTo(AckBundle bundle, byte[] word) {
    byte[] to = replyTo.getBytes(UTF_8);
    return bundle.add(to, 0, to.length, word);
  }

  @Override
  Headers headers() {
    return RawHeaders.headers(message);
  }

  @Override
  boolean hasHeader(String name) {
    io.nats.client.impl.Headers headers = message.getHeaders();
    return headers != null && headers.containsKey(name);
  }

  @Override
  byte[] data() {
    byte[] data = message.getData();
    return data == null ? NO_BYTES : data;
  }

  @Override
  long bytes() {
    return message.consumeByteCount();
  }

  @Override
  OriginalMessage original() {
    return RawHeaders.of(message)
        .map(block -> new OriginalMessage(subject(), publishedAt(), block, data()))
        .orElseGet(() -> OriginalMessage.of(subject(), publishedAt(), headers(), data()));
  }
}
