package dev.contrail.operations.replay;

import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.ReplayCopy;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.EventStore;
import dev.contrail.plan.PlanProgress;
import java.time.Clock;
import java.time.Instant;

/** Writes down what was found out of copies that no worker told of. Blocks. */
final class OutcomeTelling {
  private final Outcomes outcomes;
  private final EventStore events;
  private final FailedReplay failed;
  private final String by;
  private final Clock clock;

  OutcomeTelling(Outcomes outcomes, EventStore events, String by, Clock clock) {
    this.outcomes = outcomes;
    this.events = events;
    this.failed = new FailedReplay(events::create, events, by, clock);
    this.by = by;
    this.clock = clock;
  }

  /** Unless another outcome is there, which is the one then. */
  void tell(PlanProgress.Published copy, ReplayOutcome outcome) {
    DeadLetterId entry = outcomes.entry(copy.index()).id();
    Event event = new Event(EventAddress.outcome(entry, copy.step()), clock.instant(), by, outcome);
    Event found = Futures.get(events.createOrFind(event));
    // Since when one is there that somebody else stored is known to who follows the events.
    outcomes.told(
        entry,
        copy.step(),
        (ReplayOutcome) found.fact(),
        found.equals(event) ? Instant.MAX : Instant.MIN);
  }

  /** Gives a replay up whose copy is gone, so that its entry is open again. */
  void giveUp(PlanProgress.Published copy, String reason) {
    ReplayCopy id = new ReplayCopy(outcomes.entry(copy.index()).id(), copy.step());
    EntryResult result =
        Futures.get(failed.tellPublished(new Attempt(copy.index(), id, copy.outlook()), reason));
    if (result instanceof EntryResult.Settled settled
        && settled.progress() instanceof PlanProgress.Failed given) {
      outcomes.told(id.entry(), id.step(), new ReplayOutcome.Failed(given.why()), Instant.MAX);
    }
  }
}
