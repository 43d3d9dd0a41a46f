package dev.contrail.operations.replay;

import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.CopyPublisher.Fate;
import dev.contrail.jetstream.EventStore.Decider;
import dev.contrail.jetstream.EventStore.Decision;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanProgress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** Writes all there is to write; tests put something in between, or end it there. */
class KillingReplayPort implements ReplayPort {
  private final ReplayPort port;

  KillingReplayPort(ReplayPort port) {
    this.port = port;
  }

  /** Runs the plan; what is decided on is stored, and nothing after it. */
  static void killAfterStep(Scene scene, PlanHead plan) throws InterruptedException {
    run(
        scene,
        plan,
        port ->
            new KillingReplayPort(port) {
              @Override
              public CompletableFuture<Decision> decide(
                  DeadLetterId entry, EntryState known, Step step, Decider decider) {
                return super.decide(entry, known, step, decider).thenCompose(any -> killed());
              }
            });
  }

  /** Runs the plan; copies are published, and nothing is written down after that. */
  static void killAfterPublish(Scene scene, PlanHead plan) throws InterruptedException {
    run(
        scene,
        plan,
        port ->
            new KillingReplayPort(port) {
              @Override
              public CompletableFuture<Fate> publish(String subject, byte[] block, byte[] payload) {
                return super.publish(subject, block, payload).thenCompose(any -> killed());
              }
            });
  }

  /** Runs the plan; outcomes are told, and nothing after it. */
  static void killAfterOutcome(Scene scene, PlanHead plan) throws InterruptedException {
    run(
        scene,
        plan,
        port ->
            new KillingReplayPort(port) {
              @Override
              public CompletableFuture<Boolean> tell(Event event) {
                CompletableFuture<Boolean> told = super.tell(event);
                return event.fact() instanceof ReplayOutcome
                    ? told.thenCompose(any -> killed())
                    : told;
              }
            });
  }

  static void run(Scene scene, PlanHead plan, UnaryOperator<ReplayPort> port)
      throws InterruptedException {
    scene.plans.port = port;
    scene.run(plan);
    scene.plans.port = UnaryOperator.identity();
  }

  static <T> CompletableFuture<T> killed() {
    return CompletableFuture.failedFuture(new ContrailException("killed"));
  }

  @Override
  public CompletableFuture<Decision> decide(
      DeadLetterId entry, EntryState known, Step step, Decider decider) {
    return port.decide(entry, known, step, decider);
  }

  @Override
  public CompletableFuture<Fate> publish(String subject, byte[] headerBlock, byte[] payload) {
    return port.publish(subject, headerBlock, payload);
  }

  @Override
  public CompletableFuture<Boolean> tell(Event event) {
    return port.tell(event);
  }

  @Override
  public CompletableFuture<Boolean> progress(
      String plan, int number, List<PlanProgress> done, String by) {
    return port.progress(plan, number, done, by);
  }
}
