package dev.contrail.operations.replay;

import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.EventStore;
import dev.contrail.plan.PlanProgress;
import java.time.Clock;
import java.time.Instant;

/** Writes down what was found out of copies that no worker told of. Blocks. */
record OutcomeTelling(Outcomes outcomes, EventStore events, String by, Clock clock) {
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
}
