package dev.contrail.operations.replay;

import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.Fact;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.jetstream.EventStore;
import dev.contrail.plan.Outlook;
import dev.contrail.plan.PlanProgress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Gives up replays whose copy could not be published, so that their entries are open again. Running
 * the copies is barred first: somebody who took the plan over may have published one, and a worker
 * may be about to run it. Killed in between, whoever finds the bar tells the outcome.
 */
final class FailedReplay {
  private final RunContext run;
  private final ReplayPort port;
  private final EventStore events;

  FailedReplay(RunContext run, ReplayPort port, EventStore events) {
    this.run = run;
    this.port = port;
    this.events = events;
  }

  /** Of a replay of which this process knows that it published no copy. */
  CompletableFuture<EntryResult> tell(
      EntryReplay.Work work, int step, Outlook outlook, String reason) {
    return bar(work, step, outlook, reason, 1);
  }

  /** Of a replay that was taken over, and of which no copy can do harm. */
  CompletableFuture<EntryResult> tellAdopted(
      EntryReplay.Work work, int step, Outlook outlook, String reason) {
    return events
        .find(EventAddress.run(work.entry().id(), step, 1))
        .thenCompose(
            first -> {
              boolean resent = first.isPresent() && first.get().fact() instanceof Fact.Resent;
              return bar(work, step, outlook, reason, resent ? 2 : 1);
            });
  }

  private CompletableFuture<EntryResult> bar(
      EntryReplay.Work work, int step, Outlook outlook, String reason, int turn) {
    EventAddress address = EventAddress.run(work.entry().id(), step, turn);
    return port.tell(event(address, new Fact.Barred(reason)))
        .thenCompose(
            stored ->
                stored
                    ? tellBarred(work, step, outlook, reason)
                    : events
                        .find(address)
                        .thenCompose(claim -> behind(work, step, outlook, reason, claim)));
  }

  private CompletableFuture<EntryResult> behind(
      EntryReplay.Work work, int step, Outlook outlook, String reason, Optional<Event> claim) {
    if (claim.isPresent() && claim.get().fact() instanceof Fact.Barred barred) {
      return tellBarred(work, step, outlook, barred.reason());
    }
    // Run: the copy is published. Else somebody published one for consumers that tell nothing, or
    // this was read from a server that lags behind.
    return done(
        AdoptedReplay.known(work.index(), step, outlook, Optional.empty(), claim)
            .orElseGet(
                () ->
                    new EntryResult.Unsettled(
                        work.index(),
                        reason + "; another process that ran the plan may have published it")));
  }

  /**
   * Of a replay whose copies will not be run any more. Another outcome that is there already is the
   * one: somebody else published the copy.
   */
  CompletableFuture<EntryResult> tellBarred(
      EntryReplay.Work work, int step, Outlook outlook, String reason) {
    EventAddress address = EventAddress.outcome(work.entry().id(), step);
    return port.tell(event(address, new ReplayOutcome.Failed(reason)))
        .thenCompose(
            stored ->
                stored
                    ? done(
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

  private Event event(EventAddress address, Fact fact) {
    return new Event(address, run.clock().instant(), run.by(), fact);
  }

  private static CompletableFuture<EntryResult> done(EntryResult result) {
    return CompletableFuture.completedFuture(result);
  }
}
