package dev.contrail.operations.replay;

import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.LegalSteps;
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
    return changed(work)
        .thenCompose(
            changed ->
                changed.isPresent()
                    ? CompletableFuture.completedFuture(
                        new Decision.Refused(changed.get(), LegalSteps.Answer.NO))
                    : port.decide(work.entry().id(), known, step, decider));
  }

  /**
   * How it stands with an entry that is not what the plan took it for, though nobody decided on it
   * since: one whose replay had no known outcome may have one by now.
   */
  private CompletableFuture<Optional<EntryState>> changed(EntryReplay.Work work) {
    return work.entry().lastStep() == 0
        ? CompletableFuture.completedFuture(Optional.empty())
        : events
            .state(work.entry().id())
            .thenApply(
                now ->
                    Optional.of(now)
                        .filter(it -> it.lastStep() == work.entry().lastStep())
                        .filter(it -> it.status() != Status.OPEN)
                        .filter(it -> !(run.force() && it.isReplayUnderWay())));
  }

  CompletableFuture<Optional<Event>> lastStep(EntryReplay.Work work, EntryState state) {
    return events.find(EventAddress.step(work.entry().id(), state.lastStep()));
  }

  /** Whether it is a replay that a run of this plan decided on. */
  boolean isOwn(Event step) {
    return step.fact() instanceof Step.Replay replay && replay.plan().equals(run.head().plan());
  }
}
