package dev.contrail.operations.replay;

import dev.contrail.event.CopyPlace;
import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.Fact;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.EventStore;
import dev.contrail.plan.Outlook;
import dev.contrail.plan.PlanProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A replay that an earlier run of the plan decided on and did not write down as done. What became
 * of it since tells whether its copy was published; where nothing does, publishing it once more is
 * right as long as it can double nothing.
 */
final class AdoptedReplay {
  private final RunContext run;
  private final EventStore events;

  AdoptedReplay(RunContext run, EventStore events) {
    this.run = run;
    this.events = events;
  }

  /**
   * What was found.
   *
   * @param known what is known of it, or what keeps it from being published once more
   * @param sinceNanos since when its copy may be published, on the monotonic clock; now where a
   *     second one does no harm
   */
  record Found(Optional<EntryResult> known, long sinceNanos) {
    static Found now(Optional<EntryResult> known) {
      return new Found(known, System.nanoTime());
    }
  }

  CompletableFuture<Found> lookAt(EntryReplay.Work work, Destination destination, Event step) {
    return told(work.index(), step, destination.outlook())
        .thenCompose(
            known ->
                known.isPresent() || run.force() || destination.outlook() == Outlook.TOLD
                    ? CompletableFuture.completedFuture(Found.now(known))
                    : events
                        .storedAt(step.address())
                        .thenApply(at -> unlessRecent(work.index(), destination, at)));
  }

  /**
   * What is known of one that can be published no more; empty when no copy was run and none will
   * be.
   */
  CompletableFuture<Optional<EntryResult>> lookAtLost(
      EntryReplay.Work work, Event step, Outlook outlook) {
    return told(work.index(), step, outlook)
        .thenApply(
            known ->
                known.isPresent() || run.force() || outlook == Outlook.TOLD
                    ? known
                    : Optional.of(
                        new EntryResult.Unsettled(
                            work.index(),
                            "it may have been published before, and nobody tells whether it was"
                                + " processed")));
  }

  private CompletableFuture<Optional<EntryResult>> told(int index, Event step, Outlook outlook) {
    DeadLetterId id = step.address().entry();
    int number = step.address().step();
    return events
        .outcome(id, number)
        .thenCombine(
            events.find(EventAddress.run(id, number, 1)),
            (outcome, claim) -> known(index, number, outlook, outcome, claim));
  }

  /** What the outcome of a step or the claim to run its copy says; empty where there is neither. */
  static Optional<EntryResult> known(
      int index,
      int step,
      Outlook outlook,
      Optional<ReplayOutcome> outcome,
      Optional<Event> claim) {
    if (outcome.isPresent() && outcome.get() instanceof ReplayOutcome.Failed failed) {
      return Optional.of(
          new EntryResult.Settled(new PlanProgress.Failed(index, step, failed.reason())));
    }
    Optional<CopyPlace> place =
        outcome
            .flatMap(AdoptedReplay::place)
            .or(() -> claim.map(event -> ((Fact.Run) event.fact()).copy()));
    return place.map(
        copy ->
            new EntryResult.Settled(
                new PlanProgress.Published(
                    index,
                    step,
                    copy.stream(),
                    copy.sequence(),
                    outlook,
                    // Its own: the stream may have been made again since.
                    Optional.of(copy.incarnation()))));
  }

  private static Optional<CopyPlace> place(ReplayOutcome outcome) {
    if (outcome instanceof ReplayOutcome.Resolved resolved) {
      return Optional.of(resolved.copy());
    }
    return outcome instanceof ReplayOutcome.Returned returned
        ? Optional.of(
            new CopyPlace(
                returned.as().stream(), returned.as().incarnation(), returned.as().sequence()))
        : Optional.empty();
  }

  /** Within the window, the stream takes a second copy for the first. */
  private Found unlessRecent(int index, Destination destination, Optional<Instant> decidedAt) {
    Duration window = destination.duplicateWindow();
    // Clocks of servers differ, and the copy takes its way.
    Duration safe = window.minus(window.dividedBy(4));
    Optional<Duration> recent = decidedAt.map(run::since).filter(ago -> ago.compareTo(safe) < 0);
    return recent.isPresent()
        ? new Found(Optional.empty(), System.nanoTime() - recent.get().toNanos())
        : Found.now(
            Optional.of(
                new EntryResult.Unsettled(
                    index,
                    "it may have been published before, and its consumer would process a second"
                        + " copy too")));
  }
}
