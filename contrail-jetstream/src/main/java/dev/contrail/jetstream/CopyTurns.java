package dev.contrail.jetstream;

import dev.contrail.event.CopyPlace;
import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.Fact;
import dev.contrail.event.ReplayCopy;
import dev.contrail.event.ReplayOutcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Which of several copies of one replay has the turn to run. The first that claims it has; the next
 * one when that is gone without an outcome, and whoever ran it must have ended.
 */
final class CopyTurns {
  private final CopyEvents events;
  private final JetStreamApi api;
  private final Surroundings surroundings;
  private final LaterTurns later;

  /**
   * Of one consumer.
   *
   * @param longestRun for how long a message may be run by another worker after it is gone
   */
  CopyTurns(CopyEvents events, JetStreamApi api, Surroundings surroundings, Duration longestRun) {
    this.events = events;
    this.api = api;
    this.surroundings = surroundings;
    this.later = new LaterTurns(longestRun);
  }

  /**
   * The way through the turns to the last one.
   *
   * @param run what is said when it has the turn
   * @param later whether another copy had a turn before
   * @param again whether this copy had one before
   */
  private record Search(
      CopyVerdict.MayRun run, long sequence, int turn, boolean later, boolean again) {
    ReplayCopy copy() {
      return run.copy();
    }

    EventAddress address() {
      return EventAddress.run(copy().entry(), copy().step(), turn);
    }

    Search next() {
      return new Search(run, sequence, turn + 1, later, again);
    }

    Search after(boolean ours) {
      return new Search(run, sequence, turn + 1, later || !ours, again || ours);
    }
  }

  /** {@code run} where the copy has the turn, else what is to be done with it. */
  CompletableFuture<CopyVerdict> take(CopyVerdict.MayRun run, long sequence) {
    return claim(new Search(run, sequence, 1, false, false));
  }

  /** Claims the turn for this copy, or finds out who has it. */
  private CompletableFuture<CopyVerdict> claim(Search search) {
    return events
        .create(search.address(), events.run(search.sequence()))
        .thenCompose(created -> created && !search.later() ? done(search.run()) : claimed(search));
  }

  private CompletableFuture<CopyVerdict> claimed(Search search) {
    return events
        .store()
        .find(search.address())
        .thenCompose(
            claim ->
                claim.isEmpty()
                    // Read from a server that lags behind.
                    ? done(CopyVerdict.Held.HELD)
                    : behind(search, claim.get()));
  }

  private CompletableFuture<CopyVerdict> behind(Search search, Event claim) {
    if (claim.fact() instanceof Fact.Barred barred) {
      return failed(search.copy(), barred);
    }
    if (!(claim.fact() instanceof Fact.Run run)) {
      // Somebody published it, and left the turns to those who run it.
      return claim(search.next());
    }
    // The last turn counts: the one before may have been passed on by mistake, when its copy was
    // taken for gone. Two that looked at each other's would wait for ever.
    Search next = search.after(isOurs(run, search));
    return events
        .store()
        .find(next.address())
        .thenCompose(
            found -> found.isPresent() ? behind(next, found.get()) : last(search, claim, run));
  }

  private boolean isOurs(Fact.Run run, Search search) {
    return run.equals(events.run(search.sequence()));
  }

  private CompletableFuture<CopyVerdict> last(Search search, Event claim, Fact.Run run) {
    if (!isOurs(run, search)) {
      return wait(search, claim, run);
    }
    if (!search.later()) {
      return done(search.run());
    }
    return age(search, claim, run)
        .thenApply(age -> age.isDue() ? search.run() : CopyVerdict.Held.HELD);
  }

  /**
   * How old the last turn is: by the server's clock alone, since those of workers may be wrong, and
   * whoever claimed it may have been frozen before the claim was stored.
   */
  private CompletableFuture<LaterTurns.Age> age(Search search, Event claim, Fact.Run run) {
    LaterTurns.Turn turn = new LaterTurns.Turn(search.copy(), run.copy(), search.turn());
    return events
        .store()
        .storedAt(claim.address())
        .thenCombine(
            events.serverTime(api),
            (stored, now) ->
                stored.isEmpty()
                    // Read from a server that lags behind.
                    ? LaterTurns.Age.NONE
                    : later.age(turn, stored.get(), now, surroundings.nanoTime()));
  }

  /** Whoever gave the replay up may have been killed before it was told. */
  private CompletableFuture<CopyVerdict> failed(ReplayCopy copy, Fact.Barred barred) {
    return events
        .tell(copy, new ReplayOutcome.Failed(barred.reason()))
        .thenApply(told -> CopyVerdict.Settled.SETTLED);
  }

  /**
   * Another copy has the turn. If it is gone and without an outcome, the next turn is this one's,
   * when whoever ran the other must have ended. Gone alone tells nothing: a stream that keeps one
   * message of a subject drops the copy that is run when the next one comes.
   */
  private CompletableFuture<CopyVerdict> wait(Search search, Event claim, Fact.Run holder) {
    return isThere(search.copy(), holder.copy())
        .thenCompose(
            there ->
                there
                    ? CompletableFuture.completedFuture(false)
                    : mayClaimNext(search, claim, holder))
        .thenCompose(
            mayClaim ->
                mayClaim
                    // Asked once more, and after it was seen to be gone: the outcome comes first.
                    ? events.unlessSettled(
                        search.copy(), search.sequence(), () -> claim(search.after(false)))
                    : done(CopyVerdict.Held.HELD));
  }

  /** Two that are both gone would take the turn from each other for ever, and neither would run. */
  private CompletableFuture<Boolean> mayClaimNext(Search search, Event claim, Fact.Run holder) {
    return search.again()
        ? age(search, claim, holder).thenApply(LaterTurns.Age::isPassed)
        : CompletableFuture.completedFuture(true);
  }

  private CompletableFuture<Boolean> isThere(ReplayCopy copy, CopyPlace place) {
    if (!place.incarnation().equals(events.place(place.sequence()).incarnation())) {
      return CompletableFuture.completedFuture(false);
    }
    return api.message(place.stream(), place.sequence())
        .thenApply(
            stored ->
                stored
                    .flatMap(it -> ReplayCopy.read(it.headers()))
                    .filter(copy::equals)
                    .isPresent());
  }

  private static CompletableFuture<CopyVerdict> done(CopyVerdict verdict) {
    return CompletableFuture.completedFuture(verdict);
  }
}
