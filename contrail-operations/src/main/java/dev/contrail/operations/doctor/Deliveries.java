package dev.contrail.operations.doctor;

import dev.contrail.jetstream.NatsCommand;
import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.jetstream.doctor.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How deliveries go. */
final class Deliveries {
  /** Whoever waits at least this long between two tries does not harm the server. */
  private static final Duration HOT = Duration.ofMillis(500);

  private static final int LEAST_REDELIVERIES = 5;
  private static final int ROOM = 4;
  private static final Duration SHORT_WAIT = Duration.ofSeconds(1);

  /** MaxAckPending of whoever wants one message after the other, which may stand still. */
  static final long IN_ORDER = 1;

  private Deliveries() {}

  static final Check.OfConsumer STALL =
      (survey, stream, consumer, found) -> {
        if (isStalled(consumer)) {
          long most = consumer.configuration().getMaxAckPending();
          found.accept(
              Finding.of(
                  Rule.ACKS_PENDING_FULL,
                  stream.name(),
                  consumer.name(),
                  consumer.now().ackPending()
                      + " messages are delivered and not settled, as many as MaxAckPending allows;"
                      + " nothing was delivered or acknowledged for longer than AckWait, while "
                      + Words.messages(consumer.now().pending())
                      + " wait",
                  List.of(
                      NatsCommand.consumer(
                          "edit --max-pending=" + most * ROOM, stream.name(), consumer.name()))));
        }
      };

  static final Check.OfConsumer STORM =
      (survey, stream, consumer, found) ->
          hotRate(consumer)
              .ifPresent(
                  rate ->
                      found.accept(
                          Finding.of(
                              Rule.NAK_STORM,
                              stream.name(),
                              consumer.name(),
                              String.format(
                                  Locale.ROOT,
                                  "%,.0f redeliveries a second of %s",
                                  rate,
                                  Words.messages(outstanding(consumer))),
                              List.of(Words.work(stream.name(), consumer.name())))));

  /**
   * Full, with more to deliver and somebody who asks for it, and neither delivery nor ack for
   * longer than a lease lasts.
   */
  static boolean isStalled(Survey.SurveyedConsumer consumer) {
    long most = consumer.configuration().getMaxAckPending();
    Survey.ConsumerMoment now = consumer.now();
    Duration lease = Optional.ofNullable(consumer.configuration().getAckWait()).orElse(SHORT_WAIT);
    return most > IN_ORDER
        && now.attended()
        && now.ackPending() >= most
        && now.pending() > 0
        && now.lastActive().filter(active -> active.isBefore(now.at().minus(lease))).isPresent();
  }

  /** Redeliveries a second, where each message comes more often than anybody would ask for. */
  private static Optional<Double> hotRate(Survey.SurveyedConsumer consumer) {
    return RedeliveryRate.between(consumer.before(), consumer.now(), !consumer.filters().isEmpty())
        .filter(it -> it.count() >= LEAST_REDELIVERIES)
        .map(RedeliveryRate::perSecond)
        .filter(rate -> rate / outstanding(consumer) > 1e9 / HOT.toNanos());
  }

  private static long outstanding(Survey.SurveyedConsumer consumer) {
    return Math.max(1, Math.max(consumer.before().redelivered(), consumer.now().redelivered()));
  }
}
