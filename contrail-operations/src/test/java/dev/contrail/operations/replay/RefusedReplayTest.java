package dev.contrail.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.event.Event;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Status;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Reason;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.CopyPublisher.Fate;
import dev.contrail.jetstream.Provision;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import dev.contrail.plan.PlanState;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The stream refuses a copy, and the process that published it is stopped before it tells so, or
 * killed while it does.
 */
@Timeout(60)
class RefusedReplayTest {
  private static final String WHY = "the stream is full";

  @SuppressWarnings("NullAway.Init") // opened before every test
  private Scene scene;

  @BeforeEach
  void open() throws Exception {
    scene = Scene.on(Scene.newest(), RetentionPolicy.WorkQueue);
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void it_is_not_open_again_while_a_worker_runs_the_copy_of_a_successor() throws Exception {
    DeadLetterId id = scene.die(1).get(0);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    try (ContrailConsumer worker =
        scene.worker(
            delivery -> {
              running.countDown();
              end.await();
              scene.runs.add(delivery);
            })) {
      refuse(
          () -> {
            succeed(plan);
            running.await();
          });
      scene.run(plan);

      assertThat(scene.status(id)).isEqualTo(Status.REPLAYED);
      assertThat(scene.plans.draft(scene.all(), PlanOptions.DEFAULT, false).planned())
          .as("to be replayed once more")
          .isEmpty();
      end.countDown();
      await().atMost(Scene.SOON).until(() -> scene.status(id) == Status.RESOLVED);
    }
    assertThat(scene.runs).hasSize(1);
    assertThat(scene.plans.report(plan.plan(), Scene.ANN).tally().resolved()).isEqualTo(1);
  }

  @Test
  void it_is_open_again_and_the_copy_of_a_successor_is_not_run_when_no_worker_has_met_it()
      throws Exception {
    DeadLetterId id = scene.die(1).get(0);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    refuse(() -> succeed(plan));
    scene.run(plan);

    assertThat(scene.status(id)).isEqualTo(Status.OPEN);
    assertThat(scene.messages()).as("copies").isEqualTo(1);
    try (ContrailConsumer worker = scene.worker()) {
      scene.awaitEmpty();
    }
    assertThat(scene.runs).isEmpty();
    assertThat(scene.events.outcome(id, 1).join()).contains(new ReplayOutcome.Failed(WHY));
    PlanReport report = scene.plans.report(plan.plan(), Scene.ANN);
    assertThat(report.tally()).isEqualTo(new Tally(0, 0, 0, 0, 0, 0, 1, 0));
    assertThat(report.findings()).extracting(PlanReport.Finding::why).containsExactly(WHY);
  }

  @Test
  void where_nobody_tells_whether_copies_are_run_it_is_not_open_again_once_a_successor_went_on()
      throws Exception {
    DeadLetterId id = buryForeign();
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    refuse(() -> succeed(plan));

    scene.run(plan);

    assertThat(scene.messages()).as("copies").isEqualTo(1);
    assertThat(scene.events.outcome(id, 1).join()).isEmpty();
    assertThat(scene.status(id)).isNotEqualTo(Status.OPEN);
  }

  @Test
  void a_successor_publishes_nothing_where_nobody_tells_once_it_was_given_up() throws Exception {
    DeadLetterId id = buryForeign();
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    killBeforeTheOutcome(plan);

    assertThat(scene.run(plan).state().kind()).isEqualTo(PlanState.Kind.FINISHED);

    assertThat(scene.messages()).as("copies").isZero();
    assertThat(scene.events.outcome(id, 1).join()).contains(new ReplayOutcome.Failed(WHY));
  }

  @Test
  void killed_before_the_outcome_is_told_the_plan_that_is_resumed_tells_it() throws Exception {
    DeadLetterId id = scene.die(1).get(0);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    killBeforeTheOutcome(plan);
    assertThat(scene.status(id)).isEqualTo(Status.REPLAYING);

    assertThat(scene.run(plan).state().kind()).isEqualTo(PlanState.Kind.FINISHED);

    assertThat(scene.status(id)).isEqualTo(Status.OPEN);
    assertThat(scene.events.outcome(id, 1).join()).contains(new ReplayOutcome.Failed(WHY));
    PlanHead next = scene.plan(PlanOptions.DEFAULT);
    try (ContrailConsumer worker = scene.worker()) {
      scene.run(next);
      assertThat(scene.awaitAll(next).tally().resolved()).isEqualTo(1);
    }
    assertThat(scene.runs).hasSize(1);
  }

  @Test
  void a_worker_that_begins_while_the_stream_takes_no_more_copies_is_not_overlooked()
      throws Exception {
    DeadLetterId id = scene.die(1).get(0);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    KillingReplayPort.killAfterPublish(scene, plan);
    scene.management.updateStream(
        StreamConfiguration.builder(scene.management.getStreamInfo(scene.stream).getConfiguration())
            .subjects(scene.stream + ".other")
            .build());
    CountDownLatch lookedAt = new CountDownLatch(1);
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    scene.plans.port =
        port ->
            new KillingReplayPort(port) {
              @Override
              public CompletableFuture<Boolean> tell(Event event) {
                lookedAt.countDown();
                return CompletableFuture.runAsync(() -> unchecked(running::await))
                    .thenCompose(any -> super.tell(event));
              }
            };

    CompletableFuture<Void> run =
        CompletableFuture.runAsync(() -> unchecked(() -> scene.run(plan)));
    lookedAt.await();
    try (ContrailConsumer worker =
        scene.worker(
            delivery -> {
              running.countDown();
              end.await();
            })) {
      run.join();

      assertThat(scene.status(id)).isEqualTo(Status.REPLAYED);
      end.countDown();
      await().atMost(Scene.SOON).until(() -> scene.status(id) == Status.RESOLVED);
    }
  }

  /** A dead letter of a consumer that is not run by Contrail. */
  private DeadLetterId buryForeign() throws Exception {
    scene.bury(Scene.CONSUMER, Reason.EXHAUSTED, 1_000_001, 1);
    return scene.all().get(0).summary().id();
  }

  private void killBeforeTheOutcome(PlanHead plan) throws InterruptedException {
    KillingReplayPort.run(
        scene,
        plan,
        port ->
            new KillingReplayPort(port) {
              @Override
              public CompletableFuture<Fate> publish(String subject, byte[] block, byte[] payload) {
                return CompletableFuture.completedFuture(new Fate.Refused(WHY));
              }

              @Override
              public CompletableFuture<Boolean> tell(Event event) {
                return event.fact() instanceof ReplayOutcome ? killed() : super.tell(event);
              }
            });
  }

  /** Every copy is refused, and something else happens before that is told. */
  private void refuse(Act meanwhile) {
    scene.plans.port =
        port ->
            new KillingReplayPort(port) {
              @Override
              public CompletableFuture<Fate> publish(String subject, byte[] block, byte[] payload) {
                return CompletableFuture.runAsync(() -> unchecked(meanwhile))
                    .thenApply(any -> new Fate.Refused(WHY));
              }
            };
  }

  /** Another process takes the plan over and carries it out. */
  private void succeed(PlanHead plan) throws InterruptedException {
    RunResult result =
        new ReplayPlans(
                scene.connection, JetStreamOptions.defaultOptions(), scene.names, Provision.CREATE)
            .run(plan.plan(), "bob@host", true, new StopSign(), PlanReport.NO_LISTENER);
    assertThat(result.unsettled()).isEmpty();
  }

  private interface Act {
    void happen() throws Exception;
  }

  private static void unchecked(Act act) {
    try {
      act.happen();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
