package dev.contrail.jetstream;

import dev.contrail.Headers;
import dev.contrail.evidence.OriginalMessage;

/** A delivery as it came over the wire. */
final class WireDelivered extends Delivered {
  private final WireMessage message;

  WireDelivered(WireMessage message, AckSubject ack, long arrivedNanos) {
    super(ack, arrivedNanos);
    this.message = message;
  }

  @Override
  String subject() {
    return message.subject();
  }

  @Override
  String replyTo() {
    return message.replyTo();
  }

  @Override
  boolean addTo(AckBundle bundle, byte[] word) {
    return bundle.add(message.head(), message.replyFrom(), message.replyLength(), word);
  }

  @Override
  Headers headers() {
    return message.hasHeaders() ? Headers.parse(message.headerBlock()) : Headers.none();
  }

  @Override
  boolean hasHeader(String name) {
    return message.hasHeader(name);
  }

  @Override
  byte[] data() {
    return message.data();
  }

  @Override
  long bytes() {
    return message.head().length + (long) message.data().length;
  }

  @Override
  OriginalMessage original() {
    return new OriginalMessage(subject(), publishedAt(), message.headerBlock(), data());
  }
}
