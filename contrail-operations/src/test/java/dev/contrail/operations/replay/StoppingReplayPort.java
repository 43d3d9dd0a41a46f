package dev.contrail.operations.replay;

import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.event.ReplayCopy;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.CopyPublisher.Fate;
import dev.contrail.jetstream.EventStore.Decider;
import dev.contrail.jetstream.EventStore.Decision;
import dev.contrail.plan.PlanProgress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** Says that the point is reached and goes no further. */
record StoppingReplayPort(ReplayPort port, ReplayFault fault, Runnable reached)
    implements ReplayPort {
  private <T> T stop(T value) {
    reached.run();
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return value;
  }

  @Override
  public CompletableFuture<Decision> decide(
      DeadLetterId entry, EntryState known, Step step, Decider decider) {
    if (fault == ReplayFault.BEFORE_STEP) {
      stop(entry);
    }
    if (fault == ReplayFault.PUBLISH_FIRST_THEN_BEFORE_STEP && step instanceof Step.Replay replay) {
      byte[] block = new ReplayCopy(entry, 1).headerBlock(replay, new byte[0]);
      port.publish(replay.subject(), block, new byte[0]).thenApply(this::stop).join();
    }
    CompletableFuture<Decision> decided = port.decide(entry, known, step, decider);
    return fault == ReplayFault.AFTER_STEP ? decided.thenApply(this::stop) : decided;
  }

  @Override
  public CompletableFuture<Fate> publish(String subject, byte[] headerBlock, byte[] payload) {
    CompletableFuture<Fate> published = port.publish(subject, headerBlock, payload);
    return fault == ReplayFault.AFTER_PUBLISH ? published.thenApply(this::stop) : published;
  }

  @Override
  public CompletableFuture<Boolean> tell(Event outcome) {
    return port.tell(outcome);
  }

  @Override
  public CompletableFuture<Boolean> progress(
      String plan, int number, List<PlanProgress> done, String by) {
    CompletableFuture<Boolean> written = port.progress(plan, number, done, by);
    return fault == ReplayFault.AFTER_PROGRESS ? written.thenApply(this::stop) : written;
  }
}
