package dev.contrail.operations.audit;

import dev.contrail.ledger.SequenceSet;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Where an audit begins.
 *
 * @param sequence the first that is looked at
 * @param why in words that follow “begins there since”
 */
public record Horizon(long sequence, String why) {
  /** So long a ledger remembers messages that are gone. */
  public static final Duration LENGTH = Duration.ofDays(30);

  static Horizon of(
      Publication publication,
      Known known,
      SequenceSet present,
      Instant created,
      long firstEver,
      Optional<Instant> since,
      Instant now)
      throws InterruptedException {
    Instant begin = since.orElse(now.minus(LENGTH));
    String asked =
        since.isPresent() ? "it was asked for from " + begin + " on" : "audits go back 30 days";
    if (!created.isBefore(begin)) {
      return new Horizon(firstEver, "the stream begins there");
    }
    long from = publication.firstFrom(begin);
    if (from > 1) {
      return new Horizon(Math.max(firstEver, from), asked);
    }
    // Nothing is known from before, so the ledger may have forgotten it: of that long ago.
    OptionalLong oldest =
        Stream.concat(known.consumers().stream().map(known::all), Stream.of(present))
            .flatMapToLong(set -> set.first().stream())
            .min();
    return new Horizon(
        Math.max(firstEver, oldest.orElse(firstEver)), "nothing is known of what was before");
  }
}
