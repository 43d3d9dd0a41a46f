package dev.contrail.jetstream;

import dev.contrail.event.CopyPlace;
import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.Fact;
import dev.contrail.event.ReplayCopy;
import dev.contrail.event.ReplayOutcome;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** What one consumer tells, and asks, about copies in the events of their dead letters. */
final class CopyEvents {
  private final EventStore events;
  private final ConsumerIdentity identity;
  private final String worker;
  private final Surroundings surroundings;

  CopyEvents(
      EventStore events, ConsumerIdentity identity, String worker, Surroundings surroundings) {
    this.events = events;
    this.identity = identity;
    this.worker = worker;
    this.surroundings = surroundings;
  }

  /** What the server's clock says at the least, if it tells. */
  CompletableFuture<Optional<Instant>> serverTime(JetStreamApi api) {
    return api.time(identity.stream(), identity.consumer());
  }

  EventStore store() {
    return events;
  }

  /** Tells it there, unless something is told there: false then. */
  CompletableFuture<Boolean> create(EventAddress address, Fact fact) {
    return events.create(new Event(address, surroundings.clock().instant(), worker, fact));
  }

  /** An outcome that is there already is fine: there is one, whoever told it. */
  CompletableFuture<Void> tell(ReplayCopy copy, ReplayOutcome outcome) {
    return create(EventAddress.outcome(copy.entry(), copy.step()), outcome)
        .thenAccept(stored -> {});
  }

  CompletableFuture<Void> tellResolved(ReplayCopy copy, long sequence) {
    return tell(copy, new ReplayOutcome.Resolved(place(sequence), identity.consumer(), false));
  }

  /** Tells that this consumer does not run the copy. */
  CompletableFuture<CopyVerdict> skip(ReplayCopy copy, long sequence) {
    CopyPlace place = place(sequence);
    EventAddress address =
        EventAddress.skipped(copy.entry(), copy.step(), place, identity.consumer());
    return create(address, new Fact.Skipped(place, identity.consumer()))
        .thenApply(stored -> CopyVerdict.Settled.SETTLED);
  }

  CompletableFuture<CopyVerdict> unlessSettled(
      ReplayCopy copy, long sequence, Supplier<CompletableFuture<CopyVerdict>> otherwise) {
    return events
        .outcome(copy.entry(), copy.step())
        .thenCompose(
            outcome -> {
              if (outcome.isEmpty()) {
                return otherwise.get();
              }
              // A second copy leaves no other trace, and must not look as if it were lost.
              return isOf(outcome.get(), sequence)
                  ? CompletableFuture.completedFuture(CopyVerdict.Settled.SETTLED)
                  : skip(copy, sequence);
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

  /** What a copy says that claims to be run by this consumer. */
  Fact.Run run(long sequence) {
    return new Fact.Run(place(sequence), identity.consumer());
  }

  /** Where the message of that sequence is. */
  CopyPlace place(long sequence) {
    return new CopyPlace(identity.stream(), identity.id(sequence).incarnation(), sequence);
  }
}
