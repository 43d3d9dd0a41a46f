package dev.contrail.operations.replay;

import dev.contrail.event.CopyPlace;
import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.ReplayCopy;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Incarnation;
import dev.contrail.jetstream.CopyPublisher;
import dev.contrail.jetstream.EventStore;
import dev.contrail.plan.Outlook;
import dev.contrail.plan.PlanEntry;
import dev.contrail.plan.PlanProgress;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
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
  private final String by;
  private final Clock clock;
  private final Deque<PlanProgress.Published> turn = new ArrayDeque<>();
  private final Map<String, Optional<String>> incarnations = new HashMap<>();

  ForeignOutcomes(
      Outcomes outcomes,
      ServerFacts facts,
      CopyPublisher copies,
      EventStore events,
      String by,
      Clock clock) {
    this.outcomes = outcomes;
    this.facts = facts;
    this.copies = copies;
    this.events = events;
    this.by = by;
    this.clock = clock;
  }

  /** Looks at some of those whose outcome is not known yet, each in its turn. */
  void look() {
    if (turn.isEmpty()) {
      turn.addAll(outcomes.toBeInferred());
    }
    for (int i = 0; i < MOST_AT_ONCE && !turn.isEmpty(); i++) {
      PlanProgress.Published copy = turn.remove();
      outcome(copy).ifPresent(outcome -> tell(copy, outcome));
    }
  }

  /** Looks at all of them once. */
  void lookAtAll() {
    turn.clear();
    do {
      look();
    } while (!turn.isEmpty());
  }

  private Optional<ReplayOutcome> outcome(PlanProgress.Published copy) {
    Optional<String> incarnation =
        incarnations.computeIfAbsent(
            copy.stream(), stream -> facts.created(stream).map(Incarnation::of));
    PlanEntry entry = outcomes.entry(copy.index());
    ReplayCopy wanted = new ReplayCopy(entry.id(), copy.step());
    boolean there =
        Futures.get(copies.copyAt(copy.stream(), copy.sequence()))
            .filter(wanted::equals)
            .isPresent();
    Optional<DeadLetterId> dead = facts.deadLetterOf(copy.stream(), copy.sequence(), incarnation);
    if (dead.isPresent()) {
      return Optional.of(new ReplayOutcome.Returned(dead.get()));
    }
    return there || copy.outlook() != Outlook.INFERRED
        ? Optional.empty()
        : Optional.of(
            new ReplayOutcome.Resolved(
                new CopyPlace(copy.stream(), incarnation.orElse("gone"), copy.sequence()),
                entry.id().consumer(),
                true));
  }

  private void tell(PlanProgress.Published copy, ReplayOutcome outcome) {
    DeadLetterId entry = outcomes.entry(copy.index()).id();
    Event event = new Event(EventAddress.outcome(entry, copy.step()), clock.instant(), by, outcome);
    outcomes.told(
        entry, copy.step(), (ReplayOutcome) Futures.get(events.createOrFind(event)).fact());
  }
}
