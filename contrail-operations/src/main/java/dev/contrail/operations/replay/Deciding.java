package dev.contrail.operations.replay;

import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.Status;
import dev.contrail.event.Step;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.EventStore.Decision;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Takes steps on entries of one plan. */
record Deciding(RunContext run, ReplayPort port, EventStore events) {
  /** Takes it on the entry as the plan knows it, or as it is now if that is legal too. */
  CompletableFuture<Decision> decide(EntryReplay.Work work, Step step) {
    EntryState known =
        new EntryState(
            Status.OPEN, work.entry().lastStep(), work.entry().version(), Optional.empty());
    // Never by force: whoever decided meanwhile may have a copy under way.
    EventStore.Decider decider = new EventStore.Decider(run.by(), run.clock().instant(), false);
    return port.decide(work.entry().id(), known, step, decider);
  }

  CompletableFuture<Optional<Event>> lastStep(EntryReplay.Work work, EntryState state) {
    return events.find(EventAddress.step(work.entry().id(), state.lastStep()));
  }

  /** Whether it is a replay that a run of this plan decided on. */
  boolean isOwn(Event step) {
    return step.fact() instanceof Step.Replay replay && replay.plan().equals(run.head().plan());
  }
}
