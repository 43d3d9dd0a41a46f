package dev.contrail.operations.replay;

import dev.contrail.event.CopyPlace;
import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.ReplayCopy;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Incarnation;
import dev.contrail.jetstream.CopyPublisher;
import dev.contrail.jetstream.EventStore;
import dev.contrail.plan.PlanProgress;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import io.nats.client.api.StreamState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What the server tells of the copies of one plan. Blocks, but where it returns a future. */
final class CopyFacts {
  private final Outcomes outcomes;
  private final ServerFacts facts;
  private final CopyPublisher copies;
  private final EventStore events;
  private final boolean elsewhere;

  /**
   * Of the copies of one plan.
   *
   * @param elsewhere whether they went to another subject than their originals, so that any
   *     consumer may have had them
   */
  CopyFacts(
      Outcomes outcomes,
      ServerFacts facts,
      CopyPublisher copies,
      EventStore events,
      boolean elsewhere) {
    this.outcomes = outcomes;
    this.facts = facts;
    this.copies = copies;
    this.events = events;
    this.elsewhere = elsewhere;
  }

  ReplayCopy id(PlanProgress.Published copy) {
    return new ReplayCopy(outcomes.entry(copy.index()).id(), copy.step());
  }

  CompletableFuture<Boolean> isThere(PlanProgress.Published copy) {
    return copies
        .copyAt(copy.stream(), copy.sequence())
        .thenApply(held -> held.filter(id(copy)::equals).isPresent());
  }

  /** Whether a stream has lost nothing, by its numbers alone, since it took the copy. */
  static boolean holds(StreamInfo stream, PlanProgress.Published copy) {
    StreamState state = stream.getStreamState();
    // One in memory begins anew under the same time of creation.
    return stream.getConfiguration().getStorageType() == StorageType.File
        && copy.incarnation()
            .filter(Incarnation.of(stream.getCreateTime().toInstant())::equals)
            .isPresent()
        && state.getDeletedCount() == 0
        && state.getFirstSequence() <= copy.sequence()
        && copy.sequence() <= state.getLastSequence();
  }

  /** The dead letter of the copy, whoever wrote it. */
  Optional<DeadLetterId> death(PlanProgress.Published copy) {
    if (copy.incarnation().isEmpty()) {
      return Optional.empty();
    }
    DeadLetterId entry = outcomes.entry(copy.index()).id();
    boolean own = !elsewhere && copy.stream().equals(entry.stream());
    CopyPlace place = new CopyPlace(copy.stream(), copy.incarnation().get(), copy.sequence());
    return facts
        .deadLetterOf(place, Destinations.failed(entry).filter(any -> own))
        .or(() -> facts.deadLetterOf(place, Optional.of(DeadLetterId.ORPHAN)));
  }

  /** A consumer that the copy was for, and a word on since when. */
  private record Receivers(List<ConsumerInfo> all, Instant decidedAt) {
    private boolean isOlder(ConsumerInfo consumer) {
      // Made again, or by a server that has forgotten when it was: nothing is concluded.
      return consumer.getCreationTime().toInstant().isBefore(decidedAt);
    }

    boolean isAnyOlder() {
      return all.stream().anyMatch(this::isOlder);
    }

    boolean areAllOlder() {
      return !all.isEmpty() && all.stream().allMatch(this::isOlder);
    }
  }

  private Optional<Receivers> receivers(PlanProgress.Published copy) {
    EventAddress step = EventAddress.step(outcomes.entry(copy.index()).id(), copy.step());
    Optional<Step.Replay> replay =
        Futures.get(events.find(step))
            .map(Event::fact)
            .filter(Step.Replay.class::isInstance)
            .map(Step.Replay.class::cast);
    return replay.flatMap(
        decided ->
            Futures.get(events.storedAt(step))
                .map(at -> new Receivers(receivers(copy.stream(), decided), at)));
  }

  private List<ConsumerInfo> receivers(String stream, Step.Replay replay) {
    return facts.consumers(stream).stream()
        .filter(it -> replay.consumer().map(it.getName()::equals).orElse(true))
        .filter(it -> Destinations.gets(it.getConsumerConfiguration(), replay.subject()))
        .toList();
  }

  /** Whether no consumer that it was for was ever given it. False where that cannot be told. */
  boolean wasNeverDelivered(PlanProgress.Published copy) {
    return receivers(copy)
        .filter(Receivers::areAllOlder)
        .filter(
            it ->
                it.all().stream()
                    .allMatch(
                        consumer -> consumer.getDelivered().getStreamSequence() < copy.sequence()))
        .isPresent();
  }

  /**
   * Whether a stream without the copy has let go of it because it was acknowledged, as far as can
   * be told: one that keeps by interest drops also what no consumer waits for, and what a consumer
   * that is deleted was the last to wait for; others drop what is too old or too much.
   */
  boolean isLetGoByAck(PlanProgress.Published copy, Instant now) {
    Optional<StreamInfo> stream = facts.info(copy.stream());
    Optional<Receivers> receivers = receivers(copy);
    if (stream.isEmpty() || receivers.isEmpty()) {
      return false;
    }
    boolean byInterest =
        stream.get().getConfiguration().getRetentionPolicy() == RetentionPolicy.Interest;
    return (!byInterest || receivers.get().isAnyOlder())
        && !mayBeDropped(stream.get(), copy.sequence(), receivers.get().decidedAt(), now);
  }

  private boolean mayBeDropped(StreamInfo stream, long sequence, Instant since, Instant now) {
    StreamConfiguration limits = stream.getConfiguration();
    long behind = stream.getStreamState().getLastSequence() - sequence;
    Duration age = limits.getMaxAge();
    return limits.getMaxMsgsPerSubject() > 0
        || (!age.isZero() && Duration.between(since, now).compareTo(age) >= 0)
        || (limits.getDiscardPolicy() == DiscardPolicy.Old
            && (isOver(limits.getMaxMsgs(), behind)
                || isOver(limits.getMaxBytes(), (behind + 1) * facts.largestMessage())));
  }

  /** Whether there may be more than a limit allows; no limit allows any. */
  private static boolean isOver(long limit, long most) {
    return limit > 0 && most >= limit;
  }

  /** Whether a worker of Contrail has recorded completions since the replay was decided on. */
  boolean isWorkedByContrail(PlanProgress.Published copy) {
    DeadLetterId entry = outcomes.entry(copy.index()).id();
    EventAddress step = EventAddress.step(entry, copy.step());
    Optional<Instant> decidedAt = Futures.get(events.storedAt(step));
    return decidedAt.isPresent()
        && facts
            .lastRecord(copy.stream(), entry.consumer())
            .filter(decidedAt.get()::isBefore)
            .isPresent();
  }
}
