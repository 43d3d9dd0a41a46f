package dev.contrail.operations.replay;

import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.CopyPublisher;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.PlanStore;
import dev.contrail.plan.PlanProgress;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Writes to the server. */
record JetStreamReplayPort(EventStore events, CopyPublisher copies, PlanStore plans, Clock clock)
    implements ReplayPort {
  private static final byte[] NO_BYTES = {};

  @Override
  public CompletableFuture<EventStore.Decision> decide(
      DeadLetterId entry, EntryState known, Step step, EventStore.Decider decider) {
    // What was edited since the plan was made is not what was to be replayed.
    return events.takeIf(
        entry,
        known,
        now -> Optional.of(step).filter(any -> now.version() == known.version()),
        NO_BYTES,
        decider);
  }

  @Override
  public CompletableFuture<CopyPublisher.Fate> publish(
      String subject, byte[] headerBlock, byte[] payload) {
    return copies.publish(subject, headerBlock, payload);
  }

  @Override
  public CompletableFuture<Boolean> tell(Event event) {
    return events.create(event);
  }

  @Override
  public CompletableFuture<Boolean> progress(
      String plan, int number, List<PlanProgress> done, String by) {
    return plans.append(plan, number, done, clock.instant(), by);
  }
}
