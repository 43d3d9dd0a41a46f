package dev.contrail.operations.replay;

import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Step;
import dev.contrail.jetstream.EventStore;
import dev.contrail.plan.Outlook;
import dev.contrail.plan.PlanProgress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Tells of replays whose copy could not be published, so that their entries are open again. */
final class FailedReplay {
  private final RunContext run;
  private final ReplayPort port;
  private final EventStore events;
  private final AdoptedReplay adopted;
  private final Destinations destinations;

  FailedReplay(
      RunContext run,
      ReplayPort port,
      EventStore events,
      AdoptedReplay adopted,
      Destinations destinations) {
    this.run = run;
    this.port = port;
    this.events = events;
    this.adopted = adopted;
    this.destinations = destinations;
  }

  /** Another outcome that is there already is the one: somebody else published the copy. */
  CompletableFuture<EntryResult> tell(
      EntryReplay.Work work, int step, Outlook outlook, String reason) {
    Event outcome =
        new Event(
            EventAddress.outcome(work.entry().id(), step),
            run.clock().instant(),
            run.by(),
            new ReplayOutcome.Failed(reason));
    return port.tell(outcome)
        .thenCompose(
            stored ->
                stored
                    ? CompletableFuture.completedFuture(
                        new EntryResult.Settled(
                            new PlanProgress.Failed(work.index(), step, reason)))
                    : stored(work, step, outlook, reason));
  }

  private CompletableFuture<EntryResult> stored(
      EntryReplay.Work work, int step, Outlook outlook, String reason) {
    return events
        .outcome(work.entry().id(), step)
        .thenApply(
            found ->
                AdoptedReplay.known(work.index(), step, outlook, found, Optional.empty())
                    // Read from a server that lags behind.
                    .orElseGet(() -> new EntryResult.Unsettled(work.index(), reason)));
  }

  /** One that an earlier run of the plan decided on, and that has no destination any more. */
  CompletableFuture<EntryResult> adopt(EntryReplay.Work work, Event step, String reason) {
    Outlook outlook = outlook(work, (Step.Replay) step.fact());
    return adopted
        .lookAtLost(work, step, outlook)
        .thenCompose(
            known ->
                known.isPresent()
                    ? CompletableFuture.completedFuture(known.get())
                    : tell(work, step.address().step(), outlook, reason));
  }

  private Outlook outlook(EntryReplay.Work work, Step.Replay replay) {
    boolean told =
        replay.consumer().isPresent()
            && destinations.isOfContrail(work.entry().id(), work.letter().death().reason());
    return told ? Outlook.TOLD : Outlook.UNKNOWN;
  }
}
