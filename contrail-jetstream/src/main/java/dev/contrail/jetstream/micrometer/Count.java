package dev.contrail.jetstream.micrometer;

import dev.contrail.engine.WorkerCounts;
import dev.contrail.jetstream.ConsumerFigures;
import dev.contrail.jetstream.ConsumerNotice;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * Something that a consumer counts. Names and labels are relied upon by alerts and do not change.
 *
 * @param labels beside stream and consumer
 */
record Count(String name, String help, Tags labels, ToLongFunction<ConsumerFigures> number) {
  /** All of them. */
  static final List<Count> ALL = all();

  private static List<Count> all() {
    List<Count> all = new ArrayList<>();
    all.add(outcome("done", WorkerCounts::done));
    all.add(outcome("deduplicated", WorkerCounts::deduplicated));
    all.add(outcome("retried", WorkerCounts::retried));
    all.add(outcome("dead", WorkerCounts::dead));
    all.add(outcome("already-dead", WorkerCounts::alreadyDead));
    all.add(outcome("given-back", WorkerCounts::givenBack));
    all.add(outcome("lost", WorkerCounts::lost));
    String writes = "contrail.dead.letter.writes";
    String writesHelp = "Dead letters that this worker wrote, or could not write";
    all.add(
        new Count(
            writes, writesHelp, Tags.of("result", "stored"), ConsumerFigures::deadLettersStored));
    all.add(
        new Count(
            writes, writesHelp, Tags.of("result", "failed"), ConsumerFigures::deadLettersFailed));
    all.add(
        new Count(
            "contrail.ledger.commit.failures",
            "How often the ledger could not confirm completions",
            Tags.empty(),
            ConsumerFigures::commitsFailed));
    all.add(
        new Count(
            "contrail.delays.shortened",
            "Retries that come sooner than was asked for, since the delay was too long",
            Tags.empty(),
            ConsumerFigures::delaysShortened));
    for (ConsumerNotice.Kind kind : ConsumerNotice.Kind.values()) {
      all.add(
          new Count(
              "contrail.notices",
              "What the consumer told of, by kind",
              Tags.of("kind", word(kind)),
              it -> it.told(kind)));
    }
    return List.copyOf(all);
  }

  private static Count outcome(String word, ToLongFunction<WorkerCounts> number) {
    return new Count(
        "contrail.deliveries",
        "Deliveries that came to an end, by what it was",
        Tags.of("outcome", word),
        it -> number.applyAsLong(it.status().counts()));
  }

  static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
