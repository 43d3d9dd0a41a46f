package dev.contrail.operations.audit;

import dev.contrail.Durations;
import dev.contrail.ledger.SequenceSet;
import dev.contrail.ledger.SequenceSet.Range;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Says what most likely became of messages that nothing accounts for: by what the stream lets go
 * of, when they were published, and how many the consumer was given beyond those on record.
 */
final class Causes {
  private final StreamFacts stream;
  private final ConsumerFacts consumer;
  private final Timeline timeline;
  private final Instant now;

  Causes(StreamFacts stream, ConsumerFacts consumer, Timeline timeline, Instant now) {
    this.stream = stream;
    this.consumer = consumer;
    this.timeline = timeline;
    this.now = now;
  }

  private record Told(Cause cause, String reason, Optional<String> command) {
    Told(Cause cause, String reason) {
      this(cause, reason, Optional.empty());
    }
  }

  /** One gap for each range of what is unaccounted for, cut where the cause is another. */
  List<Gap> of(SequenceSet unaccounted) {
    SequenceSet present = unaccounted.and(stream.present());
    SequenceSet gone = unaccounted.minus(present);
    List<Gap> gaps = new ArrayList<>();
    for (Range range : present.ranges()) {
      gaps.add(gap(range, kept()));
    }
    List<Range> ranges = new ArrayList<>();
    ranges.addAll(gone.upTo(stream.first() - 1).ranges());
    ranges.addAll(gone.beyond(stream.first() - 1).ranges());
    Set<Range> taken = taken(ranges);
    for (Range range : ranges) {
      gaps.add(gap(range, taken.contains(range) ? taken() : lost(range)));
    }
    gaps.sort(Comparator.comparingLong(Gap::from));
    return gaps;
  }

  private static Gap gap(Range range, Told told) {
    return new Gap(
        range.from(), range.to(), range.count(), told.cause(), told.reason(), told.command());
  }

  /** Of messages that are there, were delivered, and are not in flight. */
  private Told kept() {
    if (consumer.position().isEmpty()) {
      return new Told(Cause.UNKNOWN, "stored and not on record, and this consumer is gone");
    }
    if (consumer.hasLedger() && isEveryDeliveryOnRecord()) {
      return new Told(
          Cause.PASSED_OVER,
          "stored, and never delivered: servers before 2.9.15, and with several filters newer ones"
              + " too, pass them over when another subject is purged; a consumer that is made again"
              + " gets them, and its worker runs no others again",
          Optional.of("nats consumer rm " + stream.name() + " " + consumer.name()));
    }
    long maxDeliver = consumer.position().get().maxDeliver();
    if (consumer.hasLedger() && maxDeliver > 0) {
      return new Told(
          Cause.EXHAUSTED,
          "delivered and not on record: the server gives up after "
              + maxDeliver
              + " deliveries, or another client acknowledged them",
          Optional.of("contrail guard"));
    }
    return taken();
  }

  private Told taken() {
    return new Told(
        Cause.NO_LEDGER,
        consumer.hasLedger()
            ? "taken by a client that keeps no ledger; whether it processed them is not known"
            : "this consumer keeps no ledger in JetStream; whether it processed them is not known");
  }

  /**
   * Which of them somebody without a ledger took. There cannot be more of those than deliveries
   * beyond what is on record; what is scattered was rather taken than purged, so the short ones
   * come first.
   */
  private Set<Range> taken(List<Range> ranges) {
    Set<Range> taken = new HashSet<>();
    if (stream.retention().isByAck()) {
      long left = unexplainedDeliveries();
      List<Range> byLength = new ArrayList<>(ranges);
      byLength.sort(Comparator.comparingLong(Range::count));
      for (Range range : byLength) {
        left -= range.count();
        if (left < 0) {
          break;
        }
        taken.add(range);
      }
    }
    return taken;
  }

  private long unexplainedDeliveries() {
    return consumer.takenByOthers()
        + consumer
            .position()
            .map(it -> Math.max(0, it.deliveries() - onRecord() - it.inFlight()))
            .orElse(0L);
  }

  /** With fewer deliveries than records, it was made again and has not counted them all. */
  private boolean isEveryDeliveryOnRecord() {
    return consumer
        .position()
        .filter(it -> it.deliveries() >= onRecord())
        .filter(it -> it.deliveries() <= onRecord() + it.inFlight())
        .isPresent();
  }

  private long onRecord() {
    return consumer.onRecord().values().stream().mapToLong(SequenceSet::count).sum();
  }

  private Told lost(Range range) {
    StreamFacts.Limits limits = stream.limits();
    boolean oldest = range.to() < stream.first();
    if (oldest && isPastAge(timeline.latest(range.to()))) {
      return expired();
    }
    if (oldest && limits.full()) {
      return new Told(
          Cause.OVER_LIMIT,
          "the stream is full and lets the oldest go" + perhapsNotAddressed(),
          Optional.of("contrail doctor " + stream.name()));
    }
    if (oldest && isPastAge(Optional.of(timeline.earliest(range.to()).orElse(stream.created())))) {
      return expired();
    }
    if (limits.perSubject()) {
      return new Told(
          Cause.OVER_LIMIT,
          "the stream keeps so many messages of each subject only" + perhapsNotAddressed(),
          Optional.of("contrail doctor " + stream.name()));
    }
    if (!consumer.takesAll() && stream.retention().isByAck()) {
      return new Told(
          Cause.UNKNOWN,
          "gone, and all that this consumer was given is on record; their subjects are not known"
              + " any more, they may not have been for it");
    }
    if (oldest) {
      return new Told(
          Cause.PURGED, "gone before they were processed: purged" + perhapsNotAddressed());
    }
    return limits.ttl()
        ? new Told(Cause.EXPIRED, "deleted, or over their own time to live" + perhapsNotAddressed())
        : new Told(
            Cause.DELETED, "deleted one by one, or purged by subject" + perhapsNotAddressed());
  }

  private boolean isPastAge(Optional<Instant> published) {
    return !stream.limits().maxAge().isZero()
        && published.isPresent()
        && !published.get().plus(stream.limits().maxAge()).isAfter(now);
  }

  private Told expired() {
    return new Told(
        Cause.EXPIRED,
        "older than the stream's max age of "
            + Durations.format(stream.limits().maxAge())
            + perhapsNotAddressed(),
        Optional.of("contrail doctor " + stream.name()));
  }

  private String perhapsNotAddressed() {
    return consumer.takesAll()
        ? ""
        : "; their subjects are not known any more, they may not have been for this consumer";
  }
}
