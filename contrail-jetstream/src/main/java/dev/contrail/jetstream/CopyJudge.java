package dev.contrail.jetstream;

import dev.contrail.Headers;
import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.ReplayCopy;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Finds out about messages that claim to be copies which a replay published: whether they are, for
 * whom, and what is to be done with them. The duplicate window of a stream ends, so there may be
 * several copies of one replay: one is run, and the others wait for its outcome.
 */
final class CopyJudge {
  private static final String SOURCE = "Nats-Stream-Source";

  private final CopyEvents events;
  private final CopyTurns turns;
  private final MissingSteps missing = new MissingSteps();
  private final ConsumerIdentity identity;
  private final Surroundings surroundings;

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
    this.events = new CopyEvents(events, identity, worker, surroundings);
    this.turns = new CopyTurns(this.events, api, surroundings, longestRun);
    this.identity = identity;
    this.surroundings = surroundings;
  }

  /** What a message that claims to be a copy is. */
  private sealed interface Claim {
    /**
     * A copy that was published by a replay, as far as the step tells.
     *
     * @param ours whether it is meant for this consumer
     */
    record Known(ReplayCopy copy, Step.Replay replay, boolean ours) implements Claim {}

    enum Other implements Claim {
      /** A message like any other. */
      NO_COPY,
      /** Its step was not found, which may be a matter of the server that was asked. */
      NOT_KNOWN_YET
    }
  }

  /** Whether to look into it at all. Asked for every message. */
  static boolean claims(Delivered message) {
    return message.hasHeader(ReplayCopy.OF);
  }

  /** What is to be done with the message. */
  CompletableFuture<CopyVerdict> judge(Delivered message, long sequence) {
    return identify(message)
        .thenCompose(
            claim -> {
              if (claim instanceof Claim.Known known) {
                return known.ours() ? unlessSettled(known, sequence) : skip(known, sequence);
              }
              return CompletableFuture.completedFuture(
                  // Taken for a message like any other, a copy would be run by consumers that it
                  // is not for, or twice.
                  claim == Claim.Other.NOT_KNOWN_YET
                      ? CopyVerdict.Held.HELD
                      : CopyVerdict.Ordinary.ORDINARY);
            });
  }

  private CompletableFuture<CopyVerdict> unlessSettled(Claim.Known known, long sequence) {
    CopyVerdict.MayRun run = new CopyVerdict.MayRun(known.copy(), known.replay());
    return events.unlessSettled(known.copy(), sequence, () -> turns.take(run, sequence));
  }

  private CompletableFuture<CopyVerdict> skip(Claim.Known known, long sequence) {
    return events.skip(known.copy(), sequence);
  }

  /**
   * Tells that the copy died and is the dead letter {@code as} now; done at once for a message that
   * is no copy. Fails with a {@link StepUnknownException} while that is not known.
   */
  CompletableFuture<Void> returned(Delivered message, DeadLetterId as) {
    return identify(message)
        .thenCompose(
            claim -> {
              if (claim == Claim.Other.NOT_KNOWN_YET) {
                return CompletableFuture.failedFuture(new StepUnknownException());
              }
              return claim instanceof Claim.Known known && known.ours()
                  ? events.tell(known.copy(), new ReplayOutcome.Returned(as))
                  : CompletableFuture.<Void>completedFuture(null);
            });
  }

  /** Tells that the copy was processed. */
  CompletableFuture<Void> resolved(CopyVerdict.MayRun run, long sequence) {
    return events.tellResolved(run.copy(), sequence);
  }

  private CompletableFuture<Claim> identify(Delivered message) {
    Headers headers = message.headers();
    Optional<ReplayCopy> claimed = ReplayCopy.read(headers);
    if (claimed.isEmpty()) {
      return CompletableFuture.completedFuture(Claim.Other.NO_COPY);
    }
    ReplayCopy copy = claimed.get();
    EventAddress address = EventAddress.step(copy.entry(), copy.step());
    return events
        .store()
        .find(address)
        .whenComplete(
            (step, failure) -> {
              if (failure != null || step.isPresent()) {
                missing.forget(address);
              }
            })
        .thenApply(step -> step.isPresent() ? known(copy, step.get(), headers) : notFound(address));
  }

  private Claim notFound(EventAddress step) {
    return missing.isMissing(step, surroundings.nanoTime())
        ? Claim.Other.NO_COPY
        : Claim.Other.NOT_KNOWN_YET;
  }

  private Claim known(ReplayCopy copy, Event step, Headers headers) {
    if (!(step.fact() instanceof Step.Replay replay)) {
      return Claim.Other.NO_COPY;
    }
    if (replay.stream().equals(identity.stream())) {
      boolean ours = replay.consumer().map(identity.consumer()::equals).orElse(true);
      return new Claim.Known(copy, replay, ours);
    }
    // In a stream that sources the other one, nobody but the consumer that failed wants it. Any
    // other stream got it from somebody who passed the headers on: a message of its own.
    boolean sourced = replay.consumer().isPresent() && isSourcedFrom(replay.stream(), headers);
    return sourced ? new Claim.Known(copy, replay, false) : Claim.Other.NO_COPY;
  }

  private static boolean isSourcedFrom(String stream, Headers headers) {
    String source = headers.first(SOURCE).orElse("");
    return source.startsWith(stream + " ") || source.startsWith(stream + ":");
  }
}
