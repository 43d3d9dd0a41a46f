package dev.contrail.operations.replay;

import dev.contrail.event.CopyPlace;
import dev.contrail.event.Event;
import dev.contrail.event.Fact;
import dev.contrail.event.ReplayCopy;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Step;
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
  private final ReplayPort port;
  private final EventStore events;
  private final FailedReplay failed;

  AdoptedReplay(RunContext run, ReplayPort port, EventStore events, FailedReplay failed) {
    this.run = run;
    this.port = port;
    this.events = events;
    this.failed = failed;
  }

  /**
   * What was found.
   *
   * @param known what is known of it, or what keeps it from being published once more
   * @param since when its copy may be published; now where a second one does no harm
   */
  record Found(Optional<EntryResult> known, Moment since) {}

  private Found now(Optional<EntryResult> known) {
    return new Found(known, run.began().again());
  }

  /** What is to be done with it, whose copy can be published. */
  CompletableFuture<Found> lookAt(EntryReplay.Work work, Destination destination, Event step) {
    Attempt attempt = attempt(work, step, destination.outlook());
    return told(attempt)
        .thenCompose(
            known -> {
              if (known.isPresent() || attempt.outlook() == Outlook.TOLD) {
                return done(now(known));
              }
              CompletableFuture<Found> found =
                  run.force()
                      ? done(now(known))
                      : events
                          .storedAt(step.address())
                          .thenApply(at -> unlessRecent(work.index(), destination, at));
              return found.thenCompose(
                  it -> it.known().isPresent() ? done(it) : resent(attempt, it));
            });
  }

  /**
   * Says so before a copy is published for consumers that claim nothing: whoever was refused to
   * publish one before, and is slow to tell, learns of it.
   */
  private CompletableFuture<Found> resent(Attempt attempt, Found found) {
    return port.tell(new Event(attempt.turn(1), run.clock().instant(), run.by(), new Fact.Resent()))
        .thenCompose(
            stored ->
                stored
                    ? done(found)
                    : told(attempt).thenApply(known -> known.isPresent() ? now(known) : found));
  }

  /** Gives one up that can be published no more, or is not to be. */
  CompletableFuture<EntryResult> giveUp(EntryReplay.Work work, Event step, String reason) {
    Attempt attempt = attempt(work, step, outlook(work, (Step.Replay) step.fact()));
    return told(attempt)
        .thenCompose(
            known -> {
              if (known.isPresent()) {
                return CompletableFuture.completedFuture(known.get());
              }
              return run.force() || attempt.outlook() == Outlook.TOLD
                  ? failed.tellPublished(attempt, reason)
                  : CompletableFuture.completedFuture(
                      new EntryResult.Unsettled(
                          work.index(),
                          "it may have been published before, and nobody tells whether it was"
                              + " processed"));
            });
  }

  private static Attempt attempt(EntryReplay.Work work, Event step, Outlook outlook) {
    return new Attempt(
        work.index(), new ReplayCopy(work.entry().id(), step.address().step()), outlook);
  }

  private static Outlook outlook(EntryReplay.Work work, Step.Replay replay) {
    boolean told =
        replay.told().orElseGet(() -> replay.consumer().isPresent() && work.ofContrail());
    return told ? Outlook.TOLD : Outlook.UNKNOWN;
  }

  /** What is known of it. One that was given up is brought to its end. */
  private CompletableFuture<Optional<EntryResult>> told(Attempt attempt) {
    DeadLetterId id = attempt.copy().entry();
    int number = attempt.copy().step();
    return events
        .outcome(id, number)
        .thenCompose(
            outcome ->
                events
                    .claim(id, number)
                    .thenCompose(
                        claim ->
                            outcome.isEmpty()
                                    && claim.isPresent()
                                    && claim.get().fact() instanceof Fact.Barred barred
                                ? failed
                                    .tellBarred(attempt, barred.reason())
                                    .thenApply(Optional::of)
                                : CompletableFuture.completedFuture(
                                    known(attempt, outcome, claim))));
  }

  /** What the outcome of a step or the claim to run its copy says; empty where neither does. */
  static Optional<EntryResult> known(
      Attempt attempt, Optional<ReplayOutcome> outcome, Optional<Event> claim) {
    int index = attempt.index();
    int step = attempt.copy().step();
    if (outcome.isPresent() && outcome.get() instanceof ReplayOutcome.Failed failed) {
      return Optional.of(
          new EntryResult.Settled(new PlanProgress.Failed(index, step, failed.reason())));
    }
    Optional<CopyPlace> place =
        outcome
            .flatMap(AdoptedReplay::place)
            .or(
                () ->
                    claim
                        .map(Event::fact)
                        .filter(Fact.Run.class::isInstance)
                        .map(fact -> ((Fact.Run) fact).copy()));
    return place.map(
        copy ->
            new EntryResult.Settled(
                new PlanProgress.Published(
                    index,
                    step,
                    copy.stream(),
                    copy.sequence(),
                    attempt.outlook(),
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
        ? new Found(Optional.empty(), run.began().again().minus(recent.get()))
        : now(
            Optional.of(
                new EntryResult.Unsettled(
                    index,
                    "it may have been published before, and its consumer would process a second"
                        + " copy too")));
  }

  private static CompletableFuture<Found> done(Found found) {
    return CompletableFuture.completedFuture(found);
  }
}
