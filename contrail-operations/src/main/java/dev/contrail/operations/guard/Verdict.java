package dev.contrail.operations.guard;

import dev.contrail.evidence.Reason;
import io.nats.client.api.RetentionPolicy;
import java.time.Instant;
import java.util.Optional;

/** What is to become of a message in its stream, once its dead letter is stored. */
sealed interface Verdict {
  /** It may stay where it is: nobody waits for it to go. */
  record Nothing() implements Verdict {}

  record Release(HowReleased how) implements Verdict {}

  /** Its consumer may be given it again; it is not touched before that has nothing to do. */
  record Wait(String why) implements Verdict {}

  /** Letting it go is for others, or for nobody. */
  record Leave(String why) implements Verdict {}

  /**
   * Decides, by what the server told after the dead letter was stored.
   *
   * @param consumer empty where there is none of that name
   * @param subject of the message
   * @param freshFrom what the server said before may be true no more
   */
  static Verdict of(
      Advisory advisory,
      StreamFacts stream,
      Optional<ConsumerFacts> consumer,
      String subject,
      Instant freshFrom) {
    // A termination takes the message away, or counts as the consumer's ack.
    if (advisory.reason() == Reason.TERMINATED || stream.retention() == RetentionPolicy.Limits) {
      return new Nothing();
    }
    if (consumer.isEmpty()) {
      return new Leave("its consumer is gone, and one that comes may want it");
    }
    ConsumerFacts facts = consumer.get();
    if (!facts.takes(subject)) {
      return new Leave("its consumer takes other subjects now");
    }
    HowReleased how =
        stream.retention() == RetentionPolicy.WorkQueue ? HowReleased.DELETED : HowReleased.ACKED;
    if (how == HowReleased.ACKED && facts.acksAll()) {
      return new Leave("its consumer acknowledges all messages up to one at once");
    }
    Optional<String> doubt = doubt(advisory, facts, freshFrom);
    // Nothing to do and still there: it was given up on again, or is wanted no more.
    return doubt.isEmpty() || (facts.isIdle() && hasPassed(advisory, facts))
        ? new Release(how)
        : new Wait(doubt.get());
  }

  /** Why the consumer may be given the message again, though it once gave up on it. */
  private static Optional<String> doubt(Advisory advisory, ConsumerFacts facts, Instant freshFrom) {
    Optional<Long> limit = facts.view().deliveryLimit();
    if (limit.isEmpty()) {
      return Optional.of("its consumer has no MaxDeliver any more, and is busy");
    }
    if (limit.get() > advisory.deliveries()) {
      return Optional.of("its consumer's MaxDeliver is " + limit.get() + " now, and it is busy");
    }
    // Servers up to 2.10 give a consumer another time at a restart: then it is one doubt too many.
    if (facts.view().created().isAfter(advisory.at().minus(Freshness.CLOCKS_DIFFER))) {
      return Optional.of("its consumer may have been made again since, and is busy");
    }
    // A crash of the server and a reset of the consumer leave no trace but what runs again.
    if (facts.view().unacked() > 0 && isStale(advisory, facts, freshFrom)) {
      return Optional.of("its consumer may have been set back since, and is busy");
    }
    return hasPassed(advisory, facts)
        ? Optional.empty()
        : Optional.of("its consumer has yet to come to it");
  }

  private static boolean isStale(Advisory advisory, ConsumerFacts facts, Instant freshFrom) {
    return advisory.at().isBefore(freshFrom)
        || facts
            .setBack()
            .map(it -> it.plus(Freshness.CLOCKS_DIFFER))
            .filter(advisory.at()::isBefore)
            .isPresent();
  }

  private static boolean hasPassed(Advisory advisory, ConsumerFacts facts) {
    return facts.view().passed() >= advisory.message().sequence();
  }
}
