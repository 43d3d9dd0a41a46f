package dev.contrail.operations.guard;

import dev.contrail.evidence.Reason;
import dev.contrail.operations.stranded.Advisory;
import dev.contrail.operations.stranded.StrandedMessages;
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
   * @param copiers who copies from the stream, and would miss a message that is deleted
   * @param subject of the message
   * @param freshFrom what the server said before may be true no more
   */
  static Verdict of(
      Advisory advisory,
      StreamFacts stream,
      Optional<ConsumerFacts> consumer,
      Copiers copiers,
      String subject,
      Instant freshFrom) {
    // A termination takes the message away, or counts as the consumer's ack.
    if (advisory.reason() == Reason.TERMINATED || stream.retention() == RetentionPolicy.Limits) {
      return new Nothing();
    }
    if (advisory.isOfDoubtfulDomain(stream.domain())) {
      return new Leave("its server names another JetStream domain than the advisory");
    }
    if (consumer.isEmpty()) {
      return new Leave("its consumer is gone, and one that comes may want it");
    }
    ConsumerFacts facts = consumer.get();
    if (!facts.view().takes(subject)) {
      return new Leave("its consumer takes other subjects now");
    }
    HowReleased how = stream.isWorkQueue() ? HowReleased.DELETED : HowReleased.ACKED;
    if (how == HowReleased.DELETED && !stream.allowsDeletions()) {
      return new Leave(StrandedMessages.NO_DELETIONS);
    }
    Optional<String> copier = copiers.of(subject);
    if (how == HowReleased.DELETED && copier.isPresent()) {
      return new Leave("stream " + copier.get() + " copies its subject, and may not have it yet");
    }
    if (how == HowReleased.DELETED && copiers.unknown().isPresent()) {
      return new Wait(copiers.unknown().get());
    }
    if (how == HowReleased.ACKED && facts.acksAll()) {
      return new Leave("its consumer acknowledges all messages up to one at once");
    }
    Optional<String> doubt =
        advisory.doubt(facts.view(), !isStale(advisory, facts, freshFrom), Advisory.CLOCKS_DIFFER);
    // Nothing to do and still there: it was given up on again, or is wanted no more.
    return doubt.isEmpty() || (facts.isIdle() && advisory.isPassedBy(facts.view()))
        ? new Release(how)
        : new Wait(doubt.get());
  }

  private static boolean isStale(Advisory advisory, ConsumerFacts facts, Instant freshFrom) {
    return advisory.at().isBefore(freshFrom)
        || facts
            .setBack()
            .map(it -> it.plus(Advisory.CLOCKS_DIFFER))
            .filter(advisory.at()::isBefore)
            .isPresent();
  }
}
