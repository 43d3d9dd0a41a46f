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
  private final GoneHolders gone;

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
    this.gone = new GoneHolders(longestRun);
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
                  ? unlessSettled(known.get(), sequence, () -> claim(known.get(), sequence, 1))
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

  /** Claims the turn for this copy, or finds out who has it. */
  private CompletableFuture<CopyVerdict> claim(Known known, long sequence, int turn) {
    Fact.Run ours = new Fact.Run(place(sequence), identity.consumer());
    ReplayCopy copy = known.copy();
    EventAddress address = EventAddress.run(copy.entry(), copy.step(), turn);
    return events
        .create(event(address, ours))
        .thenCompose(
            created ->
                created
                    ? done(new CopyVerdict.MayRun(copy, known.replay()))
                    : events
                        .find(address)
                        .thenCompose(holder -> behind(known, sequence, turn, ours, holder)));
  }

  private CompletableFuture<CopyVerdict> behind(
      Known known, long sequence, int turn, Fact.Run ours, Optional<Event> holder) {
    if (holder.isEmpty()) {
      // Read from a server that lags behind.
      return done(CopyVerdict.Held.HELD);
    }
    Fact fact = holder.get().fact();
    if (fact instanceof Fact.Barred barred) {
      return failed(known.copy(), barred);
    }
    if (fact instanceof Fact.Run run) {
      return run.equals(ours)
          ? unlessPassedOn(known, sequence, turn, ours)
          : wait(known, sequence, turn, run);
    }
    // Somebody published it, and left the turns to those who run it.
    return claim(known, sequence, turn + 1);
  }

  /** Whoever gave the replay up may have been killed before it was told. */
  private CompletableFuture<CopyVerdict> failed(ReplayCopy copy, Fact.Barred barred) {
    return tell(copy, new ReplayOutcome.Failed(barred.reason()))
        .thenApply(told -> CopyVerdict.Settled.SETTLED);
  }

  /** A turn that was ours may have been passed on, when this copy was taken for gone. */
  private CompletableFuture<CopyVerdict> unlessPassedOn(
      Known known, long sequence, int turn, Fact.Run ours) {
    ReplayCopy copy = known.copy();
    return events
        .find(EventAddress.run(copy.entry(), copy.step(), turn + 1))
        .thenCompose(
            next ->
                next.isPresent()
                    ? behind(known, sequence, turn + 1, ours, next)
                    : done(new CopyVerdict.MayRun(copy, known.replay())));
  }

  /**
   * Another copy has the turn. If it is gone and without an outcome, and whoever ran it must have
   * ended by now, it is this one's turn. Gone alone tells nothing: a stream that keeps one message
   * of a subject drops the copy that is run when the next one comes.
   */
  private CompletableFuture<CopyVerdict> wait(
      Known known, long sequence, int turn, Fact.Run holder) {
    return isThere(known.copy(), holder.copy())
        .thenCompose(
            there ->
                there || !gone.isOver(known.copy(), holder.copy(), api.surroundings().nanoTime())
                    ? done(CopyVerdict.Held.HELD)
                    // Asked once more, and after it was seen to be gone: the outcome comes first.
                    : unlessSettled(known, sequence, () -> claim(known, sequence, turn + 1)));
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

  private Event event(EventAddress address, Fact fact) {
    return new Event(address, surroundings.clock().instant(), worker, fact);
  }

  private static CompletableFuture<CopyVerdict> done(CopyVerdict verdict) {
    return CompletableFuture.completedFuture(verdict);
  }
}
