package dev.contrail.jetstream.micrometer;

import dev.contrail.engine.StoreKind;
import dev.contrail.jetstream.ConsumerFigures;
import dev.contrail.jetstream.ConsumerFigures.AckPending;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * Something that rises and falls. Names and labels are relied upon by alerts and do not change.
 *
 * @param labels beside stream and consumer
 * @param together what several workers of a consumer come to
 * @param value empty where there is none, or it is not known yet
 */
record Level(
    String name,
    String help,
    Tags labels,
    DoubleBinaryOperator together,
    Function<ConsumerFigures, OptionalDouble> value) {
  private static final double MILLIS = 1_000.0;

  /** All of them. */
  static final List<Level> ALL = all();

  /** What these consumers come to; empty where none of them has such a value. */
  OptionalDouble of(List<ConsumerFigures> consumers) {
    return consumers.stream().map(value).flatMapToDouble(OptionalDouble::stream).reduce(together);
  }

  private static List<Level> all() {
    List<Level> all = new ArrayList<>();
    all.add(sum("contrail.workers", "Workers of the consumer in this process", it -> 1));
    all.add(sum("contrail.in.flight.messages", "Messages it has", it -> it.status().inFlight()));
    all.add(sum("contrail.in.flight.bytes", "What they weigh", it -> it.status().inFlightBytes()));
    all.add(
        sum(
            "contrail.held.messages",
            "Of those, kept since a store is down or refuses them, or the breaker is open",
            it -> it.status().held()));
    all.add(
        bit(
            "contrail.breaker.open",
            "Whether nothing succeeds any more: 1 or 0",
            Tags.empty(),
            it -> it.status().breakerOpen()));
    all.add(
        bit(
            "contrail.paused",
            "Whether it was told to pause: 1 or 0",
            Tags.empty(),
            it -> it.status().paused()));
    for (StoreKind store : StoreKind.values()) {
      all.add(
          bit(
              "contrail.store.down",
              "Whether it cannot be used: 1 or 0",
              Tags.of("store", Count.word(store)),
              it -> it.isDown(store)));
    }
    all.add(
        new Level(
            "contrail.ack.pending.messages",
            "Messages of the consumer delivered and not settled, by all its workers",
            Tags.empty(),
            Math::max,
            it -> number(it.ackPending().map(AckPending::messages))));
    all.add(
        new Level(
            "contrail.ack.pending.limit",
            "MaxAckPending of the consumer",
            Tags.empty(),
            Math::max,
            it -> number(it.ackPending().map(AckPending::most).filter(most -> most > 0))));
    all.add(
        new Level(
            "contrail.ledger.ttl.headroom.seconds",
            "By how much the ledger keeps completions longer than a message may come again",
            Tags.empty(),
            Math::min,
            it -> number(it.ledgerHeadroom().map(Duration::toMillis).map(ms -> ms / MILLIS))));
    return List.copyOf(all);
  }

  private static Level sum(String name, String help, ToDoubleFunction<ConsumerFigures> value) {
    return new Level(
        name, help, Tags.empty(), Double::sum, it -> OptionalDouble.of(value.applyAsDouble(it)));
  }

  private static Level bit(
      String name, String help, Tags labels, Predicate<ConsumerFigures> value) {
    return new Level(
        name, help, labels, Math::max, it -> OptionalDouble.of(value.test(it) ? 1 : 0));
  }

  private static OptionalDouble number(Optional<? extends Number> value) {
    return value.isPresent()
        ? OptionalDouble.of(value.get().doubleValue())
        : OptionalDouble.empty();
  }
}
