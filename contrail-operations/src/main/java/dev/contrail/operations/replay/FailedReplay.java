package dev.contrail.operations.replay;

import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.Fact;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.jetstream.EventStore;
import dev.contrail.plan.PlanProgress;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Gives up replays whose copy could not be published or is gone, so that their entries are open
 * again. Running the copies is barred first: somebody who took the plan over may have published
 * one, and a worker may be about to run it. Killed in between, whoever finds the bar tells the
 * outcome.
 */
final class FailedReplay {
  private final Telling telling;
  private final EventStore events;
  private final String by;
  private final Clock clock;

  FailedReplay(Telling telling, EventStore events, String by, Clock clock) {
    this.telling = telling;
    this.events = events;
    this.by = by;
    this.clock = clock;
  }

  /** Stores an event; false when there is one of its address. */
  interface Telling {
    CompletableFuture<Boolean> tell(Event event);
  }

  /** Of a replay of which this process knows that it published no copy. */
  CompletableFuture<EntryResult> tell(Attempt attempt, String reason) {
    return bar(attempt, reason, 1);
  }

  /** Of a replay of which there may be a copy, for workers that know it by its claim. */
  CompletableFuture<EntryResult> tellPublished(Attempt attempt, String reason) {
    return events
        .find(attempt.turn(1))
        .thenCompose(
            first -> {
              boolean resent = first.isPresent() && first.get().fact() instanceof Fact.Resent;
              return bar(attempt, reason, resent ? 2 : 1);
            });
  }

  private CompletableFuture<EntryResult> bar(Attempt attempt, String reason, int turn) {
    EventAddress address = attempt.turn(turn);
    return telling
        .tell(event(address, new Fact.Barred(reason)))
        .thenCompose(
            stored ->
                stored
                    ? tellBarred(attempt, reason)
                    : events.find(address).thenCompose(claim -> behind(attempt, reason, claim)));
  }

  private CompletableFuture<EntryResult> behind(
      Attempt attempt, String reason, Optional<Event> claim) {
    if (claim.isPresent() && claim.get().fact() instanceof Fact.Barred barred) {
      return tellBarred(attempt, barred.reason());
    }
    // Run: the copy is published. Else somebody published one for consumers that tell nothing, or
    // this was read from a server that lags behind.
    return done(
        AdoptedReplay.known(attempt, Optional.empty(), claim)
            .orElseGet(
                () ->
                    new EntryResult.Unsettled(
                        attempt.index(),
                        reason + "; another process that ran the plan may have published it")));
  }

  /**
   * Of a replay whose copies will not be run any more. Another outcome that is there already is the
   * one: somebody else published the copy.
   */
  CompletableFuture<EntryResult> tellBarred(Attempt attempt, String reason) {
    return telling
        .tell(event(attempt.outcome(), new ReplayOutcome.Failed(reason)))
        .thenCompose(
            stored ->
                stored
                    ? done(
                        new EntryResult.Settled(
                            new PlanProgress.Failed(
                                attempt.index(), attempt.copy().step(), reason)))
                    : stored(attempt, reason));
  }

  private CompletableFuture<EntryResult> stored(Attempt attempt, String reason) {
    return events
        .outcome(attempt.copy().entry(), attempt.copy().step())
        .thenApply(
            found ->
                AdoptedReplay.known(attempt, found, Optional.empty())
                    // Read from a server that lags behind.
                    .orElseGet(() -> new EntryResult.Unsettled(attempt.index(), reason)));
  }

  private Event event(EventAddress address, Fact fact) {
    return new Event(address, clock.instant(), by, fact);
  }

  private static CompletableFuture<EntryResult> done(EntryResult result) {
    return CompletableFuture.completedFuture(result);
  }
}
