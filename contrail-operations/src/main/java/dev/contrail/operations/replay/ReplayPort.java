package dev.contrail.operations.replay;

import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.CopyPublisher;
import dev.contrail.jetstream.EventStore;
import dev.contrail.plan.PlanProgress;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What a replay writes, in the order in which it does for one entry. */
interface ReplayPort {
  /** Decides on the replay: from then on, nobody else replays or discards it. */
  CompletableFuture<EventStore.Decision> decide(
      DeadLetterId entry, EntryState known, Step step, EventStore.Decider decider);

  CompletableFuture<CopyPublisher.Fate> publish(String subject, byte[] headerBlock, byte[] payload);

  /** Stores what is to be known of a replay beside its progress; false when there is something. */
  CompletableFuture<Boolean> tell(Event event);

  /** Writes down what was done; false when there is a piece of that number. */
  CompletableFuture<Boolean> progress(String plan, int number, List<PlanProgress> done, String by);
}
