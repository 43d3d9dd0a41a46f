package dev.contrail.jetstream;

import io.nats.client.api.ConsumerInfo;

/**
 * Tells when the messages that are delivered and not settled come near what the consumer allows:
 * messages that wait for their retry are among them, and at the limit nothing else is delivered, to
 * nobody, without a word from the server.
 */
final class AckPendingWatch {
  enum Level {
    FINE,
    HALF,
    FULL
  }

  private final Notices notices;
  private final Tally tally;
  private Level told = Level.FINE;

  AckPendingWatch(Notices notices, Tally tally) {
    this.notices = notices;
    this.tally = tally;
  }

  void look(ConsumerInfo consumer) {
    long pending = consumer.getNumAckPending();
    long most = consumer.getConsumerConfiguration().getMaxAckPending();
    tally.ackPending(pending, most);
    Level level = level(pending, most);
    if (level == told) {
      return;
    }
    told = level;
    String numbers = pending + " messages are delivered and not settled";
    switch (level) {
      case FULL ->
          notices.ackPendingFull(
              numbers
                  + ", as many as MaxAckPending allows: no other message is delivered until some"
                  + " are settled; raise it if they wait for their retry");
      case HALF ->
          notices.ackPendingHigh(
              numbers + ", half of MaxAckPending (" + most + ") or more; at it, all work stops");
      case FINE -> notices.ackPendingFine(numbers + ", less than half of MaxAckPending");
    }
  }

  static Level level(long pending, long most) {
    if (most <= 0 || pending * 2 < most) {
      return Level.FINE;
    }
    return pending < most ? Level.HALF : Level.FULL;
  }
}
