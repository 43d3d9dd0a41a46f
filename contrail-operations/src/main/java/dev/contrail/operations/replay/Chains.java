package dev.contrail.operations.replay;

import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.Fact;
import dev.contrail.event.ReplayCopy;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.EventStore;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Finds out where a dead letter stands in a chain of replays. Its headers say of which one it is a
 * copy; that one's events say whether that is true.
 */
final class Chains {
  private final EventStore events;

  Chains(EventStore events) {
    this.events = events;
  }

  /**
   * Where it stands.
   *
   * @param lastStep up to which its own steps count
   */
  CompletableFuture<Origin> origin(DeadLetter letter, int lastStep) {
    DeadLetterId id = letter.id();
    Optional<ReplayCopy> copy = ReplayCopy.read(letter.message().headers());
    CompletableFuture<Origin> before =
        copy.isEmpty()
            ? CompletableFuture.completedFuture(Origin.first(id))
            : returned(copy.get(), id);
    return before.thenCompose(origin -> withOwn(id, origin, 1, lastStep));
  }

  private CompletableFuture<Origin> returned(ReplayCopy copy, DeadLetterId id) {
    return events
        .outcome(copy.entry(), copy.step())
        .thenCompose(
            outcome ->
                outcome.map(new ReplayOutcome.Returned(id)::equals).orElse(true)
                    ? events
                        .find(EventAddress.step(copy.entry(), copy.step()))
                        .thenApply(
                            step ->
                                step.map(Event::fact)
                                    .filter(Step.Replay.class::isInstance)
                                    .map(Step.Replay.class::cast)
                                    // A dead letter is stored before it is told that it came back.
                                    .filter(replay -> outcome.isPresent() || isFor(replay, id))
                                    .map(Chains::of)
                                    .orElse(Origin.first(id)))
                    : CompletableFuture.completedFuture(Origin.first(id)));
  }

  /** Whether the consumer that gave up on it is one that the replay was for. */
  private static boolean isFor(Step.Replay replay, DeadLetterId id) {
    return replay.stream().equals(id.stream())
        && replay.consumer().map(id.consumer()::equals).orElse(true);
  }

  /** Adds the replays that there were of the dead letter itself. */
  private CompletableFuture<Origin> withOwn(
      DeadLetterId id, Origin origin, int number, int lastStep) {
    if (number > lastStep) {
      return CompletableFuture.completedFuture(origin);
    }
    return events
        .find(EventAddress.step(id, number))
        .thenCompose(
            step -> {
              Optional<Fact> fact = step.map(Event::fact);
              if (!(fact.orElse(null) instanceof Step.Replay replay)) {
                return withOwn(id, origin, number + 1, lastStep);
              }
              return events
                  .outcome(id, number)
                  .thenCompose(
                      outcome ->
                          withOwn(
                              id,
                              // What was never published is no replay.
                              outcome.filter(ReplayOutcome.Failed.class::isInstance).isPresent()
                                  ? origin
                                  : of(replay),
                              number + 1,
                              lastStep));
            });
  }

  private static Origin of(Step.Replay replay) {
    return new Origin(replay.root(), replay.count());
  }
}
