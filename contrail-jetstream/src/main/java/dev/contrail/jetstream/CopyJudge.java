package dev.contrail.jetstream;

import dev.contrail.Headers;
import dev.contrail.event.CopyPlace;
import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.Fact;
import dev.contrail.event.ReplayCopy;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Finds out about messages that claim to be copies which a replay published. The duplicate window
 * of a stream ends, so there may be several copies of one replay: the first that claims to be run
 * is the one, and the others wait for its outcome.
 */
final class CopyJudge {
  private static final String SOURCE = "Nats-Stream-Source";
  private static final Duration IN_A_WHILE = Duration.ofSeconds(1);

  private final EventStore events;
  private final JetStreamApi api;
  private final ConsumerIdentity identity;
  private final String worker;
  private final Surroundings surroundings;
  private final LaterTurns later;

  /**
   * Of one consumer.
   *
   * @param longestRun for how long a message may be run by another worker after it is gone
   */
  CopyJudge(
      EventStore events,
      JetStreamApi api,
      ConsumerIdentity identity,
      String worker,
      Surroundings surroundings,
      Duration longestRun) {
    this.events = events;
    this.api = api;
    this.identity = identity;
    this.worker = worker;
    this.surroundings = surroundings;
    this.later = new LaterTurns(longestRun);
  }

  /**
   * A copy that was published by a replay, as far as the step tells.
   *
   * @param ours whether it is meant for this consumer
   */
  private record Known(ReplayCopy copy, Step.Replay replay, boolean ours) {}

  /** Whether to look into it at all. Asked for every message. */
  static boolean claims(Delivered message) {
    return message.hasHeader(ReplayCopy.OF);
  }

  /** What is to be done with the message. */
  CompletableFuture<CopyVerdict> judge(Delivered message, long sequence) {
    return identify(message)
        .thenCompose(
            known -> {
              if (known.isEmpty()) {
                return done(CopyVerdict.Ordinary.ORDINARY);
              }
              return known.get().ours()
                  ? unlessSettled(
                      known.get(),
                      sequence,
                      () -> claim(new Search(known.get(), sequence, 1, false, false)))
                  : skip(known.get(), sequence);
            });
  }

  /**
   * Tells that the copy died and is the dead letter {@code as} now; done at once for a message that
   * is no copy.
   */
  CompletableFuture<Void> returned(Delivered message, DeadLetterId as) {
    return identify(message)
        .thenCompose(
            known ->
                known.isPresent() && known.get().ours()
                    ? tell(known.get().copy(), new ReplayOutcome.Returned(as))
                    : CompletableFuture.<Void>completedFuture(null));
  }

  /** Tells that the copy was processed. */
  CompletableFuture<Void> resolved(CopyVerdict.MayRun run, long sequence) {
    return tell(
        run.copy(), new ReplayOutcome.Resolved(place(sequence), identity.consumer(), false));
  }

  /** An outcome that is there already is fine: there is one, whoever told it. */
  private CompletableFuture<Void> tell(ReplayCopy copy, ReplayOutcome outcome) {
    return events
        .create(event(EventAddress.outcome(copy.entry(), copy.step()), outcome))
        .thenAccept(stored -> {});
  }

  private CompletableFuture<Optional<Known>> identify(Delivered message) {
    Headers headers = message.headers();
    Optional<ReplayCopy> claimed = ReplayCopy.read(headers);
    if (claimed.isEmpty()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    ReplayCopy copy = claimed.get();
    EventAddress address = EventAddress.step(copy.entry(), copy.step());
    return events
        .find(address)
        .thenCompose(
            step -> step.isPresent() ? CompletableFuture.completedFuture(step) : findLater(address))
        .thenApply(step -> step.flatMap(event -> known(copy, event, headers)));
  }

  /**
   * A leader that was frozen does not know for a moment what was stored meanwhile. Taken for a
   * message like any other, a copy would be run by consumers that it is not for, or twice.
   */
  private CompletableFuture<Optional<Event>> findLater(EventAddress address) {
    return CompletableFuture.supplyAsync(() -> address, surroundings.background(IN_A_WHILE))
        .thenCompose(events::find);
  }

  private Optional<Known> known(ReplayCopy copy, Event step, Headers headers) {
    if (!(step.fact() instanceof Step.Replay replay)) {
      return Optional.empty();
    }
    if (replay.stream().equals(identity.stream())) {
      boolean ours = replay.consumer().map(identity.consumer()::equals).orElse(true);
      return Optional.of(new Known(copy, replay, ours));
    }
    // In a stream that sources the other one, nobody but the consumer that failed wants it. Any
    // other stream got it from somebody who passed the headers on: a message of its own.
    boolean sourced = replay.consumer().isPresent() && isSourcedFrom(replay.stream(), headers);
    return sourced ? Optional.of(new Known(copy, replay, false)) : Optional.empty();
  }

  private static boolean isSourcedFrom(String stream, Headers headers) {
    String source = headers.first(SOURCE).orElse("");
    return source.startsWith(stream + " ") || source.startsWith(stream + ":");
  }

  private CompletableFuture<CopyVerdict> skip(Known known, long sequence) {
    CopyPlace place = place(sequence);
    EventAddress address =
        EventAddress.skipped(known.copy().entry(), known.copy().step(), place, identity.consumer());
    return events
        .create(event(address, new Fact.Skipped(place, identity.consumer())))
        .thenApply(stored -> CopyVerdict.Settled.SETTLED);
  }

  private CompletableFuture<CopyVerdict> unlessSettled(
      Known known, long sequence, Supplier<CompletableFuture<CopyVerdict>> otherwise) {
    return events
        .outcome(known.copy().entry(), known.copy().step())
        .thenCompose(
            outcome -> {
              if (outcome.isEmpty()) {
                return otherwise.get();
              }
              // A second copy leaves no other trace, and must not look as if it were lost.
              return isOf(outcome.get(), sequence)
                  ? done(CopyVerdict.Settled.SETTLED)
                  : skip(known, sequence);
            });
  }

  /** Whether the outcome tells of this very copy. */
  private boolean isOf(ReplayOutcome outcome, long sequence) {
    if (outcome instanceof ReplayOutcome.Resolved resolved) {
      return resolved.copy().equals(place(sequence));
    }
    return outcome instanceof ReplayOutcome.Returned returned
        && returned.as().stream().equals(identity.stream())
        && returned.as().sequence() == sequence;
  }

  /**
   * The way through the turns to the last one.
   *
   * @param later whether another copy had a turn before
   * @param again whether this copy had one before
   */
  private record Search(Known known, long sequence, int turn, boolean later, boolean again) {
    EventAddress address() {
      return EventAddress.run(known.copy().entry(), known.copy().step(), turn);
    }

    Search next() {
      return new Search(known, sequence, turn + 1, later, again);
    }

    Search after(boolean ours) {
      return new Search(known, sequence, turn + 1, later || !ours, again || ours);
    }
  }

  /** Claims the turn for this copy, or finds out who has it. */
  private CompletableFuture<CopyVerdict> claim(Search search) {
    return events
        .create(event(search.address(), run(search.sequence())))
        .thenCompose(
            created -> created && !search.later() ? done(mayRun(search)) : claimed(search));
  }

  private CompletableFuture<CopyVerdict> claimed(Search search) {
    return events
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
      return failed(search.known().copy(), barred);
    }
    if (!(claim.fact() instanceof Fact.Run run)) {
      // Somebody published it, and left the turns to those who run it.
      return claim(search.next());
    }
    // The last turn counts: the one before may have been passed on by mistake, when its copy was
    // taken for gone. Two that looked at each other's would wait for ever.
    Search next = search.after(isOurs(run, search));
    return events
        .find(next.address())
        .thenCompose(
            found -> found.isPresent() ? behind(next, found.get()) : last(search, claim, run));
  }

  private boolean isOurs(Fact.Run run, Search search) {
    return run.equals(run(search.sequence()));
  }

  private CompletableFuture<CopyVerdict> last(Search search, Event claim, Fact.Run run) {
    if (!isOurs(run, search)) {
      return wait(search, claim, run);
    }
    if (!search.later()) {
      return done(mayRun(search));
    }
    return age(search, claim, run)
        .thenApply(age -> age.isDue() ? mayRun(search) : CopyVerdict.Held.HELD);
  }

  /**
   * How old the last turn is. Whoever claimed it may have been frozen before the claim was stored,
   * or have a clock that is behind: so it is no older than the server says. Nor is it older than
   * its claim says, for the clock here may be that one, and ahead of the server's.
   */
  private CompletableFuture<LaterTurns.Age> age(Search search, Event claim, Fact.Run run) {
    LaterTurns.Turn turn = new LaterTurns.Turn(search.known().copy(), run.copy(), search.turn());
    return events
        .storedAt(claim.address())
        .thenApply(
            stored ->
                stored.isEmpty()
                    // Read from a server that lags behind.
                    ? LaterTurns.Age.NONE
                    : later.age(
                        turn,
                        stored.filter(claim.at()::isBefore).orElse(claim.at()),
                        surroundings.clock().instant(),
                        surroundings.nanoTime()));
  }

  private static CopyVerdict mayRun(Search search) {
    return new CopyVerdict.MayRun(search.known().copy(), search.known().replay());
  }

  /** Whoever gave the replay up may have been killed before it was told. */
  private CompletableFuture<CopyVerdict> failed(ReplayCopy copy, Fact.Barred barred) {
    return tell(copy, new ReplayOutcome.Failed(barred.reason()))
        .thenApply(told -> CopyVerdict.Settled.SETTLED);
  }

  /**
   * Another copy has the turn. If it is gone and without an outcome, the next turn is this one's,
   * when whoever ran the other must have ended. Gone alone tells nothing: a stream that keeps one
   * message of a subject drops the copy that is run when the next one comes.
   */
  private CompletableFuture<CopyVerdict> wait(Search search, Event claim, Fact.Run holder) {
    return isThere(search.known().copy(), holder.copy())
        .thenCompose(
            there ->
                there
                    ? CompletableFuture.completedFuture(false)
                    : mayClaimNext(search, claim, holder))
        .thenCompose(
            mayClaim ->
                mayClaim
                    // Asked once more, and after it was seen to be gone: the outcome comes first.
                    ? unlessSettled(
                        search.known(), search.sequence(), () -> claim(search.after(false)))
                    : done(CopyVerdict.Held.HELD));
  }

  /** Two that are both gone would take the turn from each other for ever, and neither would run. */
  private CompletableFuture<Boolean> mayClaimNext(Search search, Event claim, Fact.Run holder) {
    return search.again()
        ? age(search, claim, holder).thenApply(LaterTurns.Age::isPassed)
        : CompletableFuture.completedFuture(true);
  }

  private CompletableFuture<Boolean> isThere(ReplayCopy copy, CopyPlace place) {
    if (!place.incarnation().equals(place(place.sequence()).incarnation())) {
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

  private CopyPlace place(long sequence) {
    return new CopyPlace(identity.stream(), identity.id(sequence).incarnation(), sequence);
  }

  private Fact.Run run(long sequence) {
    return new Fact.Run(place(sequence), identity.consumer());
  }

  private Event event(EventAddress address, Fact fact) {
    return new Event(address, surroundings.clock().instant(), worker, fact);
  }

  private static CompletableFuture<CopyVerdict> done(CopyVerdict verdict) {
    return CompletableFuture.completedFuture(verdict);
  }
}
