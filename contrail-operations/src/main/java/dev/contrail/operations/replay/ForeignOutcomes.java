package dev.contrail.operations.replay;

import dev.contrail.event.CopyPlace;
import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.ReplayCopy;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.CopyPublisher;
import dev.contrail.jetstream.EventStore;
import dev.contrail.plan.Outlook;
import dev.contrail.plan.PlanProgress;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Concludes how replays ended for consumers that tell nothing: a stream that lets go of what was
 * acknowledged has processed what is gone, unless there is a dead letter of it. A dead letter is
 * stored before its message is let go, so it is looked for last. Blocks.
 */
final class ForeignOutcomes {
  private static final int MOST_AT_ONCE = 200;

  private final Outcomes outcomes;
  private final ServerFacts facts;
  private final CopyPublisher copies;
  private final EventStore events;
  private final OutcomeTelling telling;
  private final boolean elsewhere;
  private final Deque<PlanProgress.Published> turn = new ArrayDeque<>();

  /**
   * Looks at the copies of one plan.
   *
   * @param elsewhere whether they went to another subject than their originals, so that any
   *     consumer may have had them
   */
  ForeignOutcomes(
      Outcomes outcomes,
      ServerFacts facts,
      CopyPublisher copies,
      EventStore events,
      OutcomeTelling telling,
      boolean elsewhere) {
    this.outcomes = outcomes;
    this.facts = facts;
    this.copies = copies;
    this.events = events;
    this.telling = telling;
    this.elsewhere = elsewhere;
  }

  /** Looks at some of those whose outcome is not known yet, each in its turn. */
  void look() {
    if (turn.isEmpty()) {
      turn.addAll(outcomes.toBeInferred());
    }
    Map<PlanProgress.Published, Boolean> there = new LinkedHashMap<>();
    while (there.size() < MOST_AT_ONCE && !turn.isEmpty()) {
      PlanProgress.Published copy = turn.remove();
      there.put(copy, isThere(copy));
    }
    // Asked afterwards: what a stream that is still the same did not have then, it had let go.
    Map<String, Optional<String>> incarnations = new HashMap<>();
    there.forEach(
        (copy, isThere) -> {
          Optional<String> now = incarnations.computeIfAbsent(copy.stream(), facts::incarnation);
          if (now.isPresent() && now.equals(copy.incarnation())) {
            outcome(copy, now.get(), isThere).ifPresent(outcome -> telling.tell(copy, outcome));
          } else {
            // Deleted, and perhaps made again: with the copy, whether it was processed or not.
            outcomes.neverKnown(copy);
          }
        });
  }

  /** Looks at all of them once. */
  void lookAtAll() {
    turn.clear();
    do {
      look();
    } while (!turn.isEmpty());
  }

  private boolean isThere(PlanProgress.Published copy) {
    ReplayCopy wanted = new ReplayCopy(outcomes.entry(copy.index()).id(), copy.step());
    return Futures.get(copies.copyAt(copy.stream(), copy.sequence()))
        .filter(wanted::equals)
        .isPresent();
  }

  private Optional<ReplayOutcome> outcome(
      PlanProgress.Published copy, String incarnation, boolean isThere) {
    DeadLetterId entry = outcomes.entry(copy.index()).id();
    CopyPlace place = new CopyPlace(copy.stream(), incarnation, copy.sequence());
    boolean own =
        !elsewhere
            && copy.stream().equals(entry.stream())
            && !entry.consumer().equals(DeadLetterId.ORPHAN);
    Optional<DeadLetterId> dead =
        facts
            .deadLetterOf(place, own ? Optional.of(entry.consumer()) : Optional.empty())
            .or(() -> facts.orphanOf(place));
    if (dead.isPresent()) {
      return Optional.of(new ReplayOutcome.Returned(dead.get()));
    }
    if (isThere || copy.outlook() != Outlook.INFERRED) {
      return Optional.empty();
    }
    if (!wasWaitedFor(copy)) {
      outcomes.neverKnown(copy);
      return Optional.empty();
    }
    return Optional.of(new ReplayOutcome.Resolved(place, entry.consumer(), true));
  }

  /**
   * Whether the stream kept the copy until a consumer had it. One that keeps by interest drops what
   * no consumer waits for, and what a consumer that is deleted was the last to wait for.
   */
  private boolean wasWaitedFor(PlanProgress.Published copy) {
    if (!facts.isByInterest(copy.stream())) {
      return true;
    }
    EventAddress step = EventAddress.step(outcomes.entry(copy.index()).id(), copy.step());
    Optional<Instant> decidedAt = Futures.get(events.storedAt(step));
    Optional<Step.Replay> replay =
        Futures.get(events.find(step))
            .map(Event::fact)
            .filter(Step.Replay.class::isInstance)
            .map(Step.Replay.class::cast);
    return decidedAt.isPresent()
        && replay.isPresent()
        && facts.consumers(copy.stream()).stream()
            .filter(it -> replay.get().consumer().map(it.getName()::equals).orElse(true))
            .filter(it -> Destinations.gets(it.getConsumerConfiguration(), replay.get().subject()))
            // Made again, or by a server that has forgotten when it was: nothing is concluded.
            .anyMatch(it -> it.getCreationTime().toInstant().isBefore(decidedAt.get()));
  }
}
