package dev.contrail.jetstream;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.ledger.LedgerScope;

/**
 * Which consumer of which stream. The incarnation tells streams of the same name apart; it changes
 * when the stream is deleted and made again underneath.
 */
final class ConsumerIdentity {
  private final String stream;
  private final String consumer;
  private volatile String incarnation;

  ConsumerIdentity(String stream, String consumer, String incarnation) {
    this.stream = stream;
    this.consumer = consumer;
    this.incarnation = incarnation;
  }

  String stream() {
    return stream;
  }

  String consumer() {
    return consumer;
  }

  void moveTo(String newIncarnation) {
    incarnation = newIncarnation;
  }

  DeadLetterId id(long sequence) {
    return new DeadLetterId(stream, consumer, incarnation, sequence);
  }

  String incarnation() {
    return incarnation;
  }

  LedgerScope scope() {
    return new LedgerScope(stream, consumer, incarnation);
  }

  @Override
  public String toString() {
    return stream + "/" + consumer;
  }
}
