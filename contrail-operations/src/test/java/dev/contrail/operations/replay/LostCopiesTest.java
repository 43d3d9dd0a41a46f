package dev.contrail.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Status;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Reason;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies for workers of Contrail of which no worker will tell what became of them. */
@Timeout(60)
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.replay.Scene#servers")
class LostCopiesTest {
  private static final Tally FAILED = new Tally(0, 0, 0, 0, 0, 0, 1, 0);
  private static final Tally WAITING = new Tally(0, 1, 0, 0, 0, 0, 0, 0);
  private static final Tally UNKNOWN = new Tally(0, 0, 1, 0, 0, 0, 0, 0);

  private final NatsServerBinary binary;
  private Scene scene;
  private DeadLetterId id;
  private PlanHead plan;

  LostCopiesTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    scene = Scene.on(binary, RetentionPolicy.WorkQueue);
    id = scene.die(1).get(0);
    plan = scene.plan(PlanOptions.DEFAULT);
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void one_that_nobody_was_given_is_open_again_and_processed_once_when_replayed_again()
      throws Exception {
    scene.run(plan);
    assertThat(scene.plans.report(plan.plan(), Scene.ANN).tally()).isEqualTo(WAITING);
    scene.management.deleteMessage(scene.stream, copy());

    PlanReport report = scene.awaitAll(plan);

    assertThat(report.tally()).isEqualTo(FAILED);
    assertThat(report.findings())
        .extracting(PlanReport.Finding::why)
        .containsExactly(
            "its copy is gone from stream "
                + scene.stream
                + ", and nobody had begun to process it");
    assertThat(scene.status(id)).isEqualTo(Status.OPEN);
    PlanHead next = scene.plan(PlanOptions.DEFAULT);
    try (ContrailConsumer worker = scene.worker()) {
      scene.run(next);
      assertThat(scene.awaitAll(next).tally().resolved()).isEqualTo(1);
    }
    assertThat(scene.runs).hasSize(1);
  }

  @Test
  void one_that_is_deleted_among_others_is_found_too() throws Exception {
    scene.connection.jetStream().publish(scene.stream + ".other", new byte[0]);
    scene.run(plan);
    long copy = copy();
    scene.connection.jetStream().publish(scene.stream + ".other", new byte[0]);
    scene.management.deleteMessage(scene.stream, copy);

    assertThat(scene.awaitAll(plan).tally()).isEqualTo(FAILED);
  }

  @Test
  void one_that_went_with_its_stream_is_never_known_and_repeated_by_force_alone() throws Exception {
    scene.run(plan);
    StreamConfiguration how = scene.management.getStreamInfo(scene.stream).getConfiguration();
    scene.management.deleteStream(scene.stream);
    assertThat(scene.awaitAll(plan).tally()).isEqualTo(UNKNOWN);
    scene.management.addStream(how);
    for (int i = 0; i < 10; i++) {
      scene.connection.jetStream().publish(scene.stream + ".other", new byte[0]);
    }

    assertThat(scene.awaitAll(plan).tally()).as("made again and filled").isEqualTo(UNKNOWN);
    assertRepeatedByForceAlone();
  }

  @Test
  void one_that_was_purged_is_open_again_once_contrail_is_seen_to_read_the_consumer()
      throws Exception {
    scene.run(plan);
    scene.management.purgeStream(scene.stream);
    assertThat(scene.awaitAll(plan).tally()).as("anybody may have had it").isEqualTo(UNKNOWN);

    try (ContrailConsumer worker = scene.worker()) {
      scene.connection.jetStream().publish(scene.stream + ".other", new byte[0]);
      await().atMost(Scene.SOON).until(() -> worker.status().counts().done() == 1);
    }
    assertThat(scene.awaitAll(plan).tally()).isEqualTo(FAILED);
    assertThat(scene.status(id)).isEqualTo(Status.OPEN);
  }

  @Test
  void one_that_somebody_else_acknowledged_is_never_known() throws Exception {
    scene.run(plan);
    scene
        .connection
        .jetStream()
        .subscribe(null, PullSubscribeOptions.bind(scene.stream, Scene.CONSUMER))
        .fetch(1, Scene.SOON)
        .get(0)
        .ackSync(Duration.ofSeconds(5));

    assertThat(scene.awaitAll(plan).tally()).isEqualTo(UNKNOWN);
    assertThat(scene.status(id)).isNotEqualTo(Status.OPEN);
  }

  @Test
  void one_that_is_run_at_that_moment_is_waited_for() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    try (ContrailConsumer worker =
        scene.worker(
            delivery -> {
              running.countDown();
              end.await();
            })) {
      scene.run(plan);
      running.await();
      scene.management.purgeStream(scene.stream);
      scene.plans.report(plan.plan(), Scene.ANN);

      assertThat(scene.events.outcome(id, 1).join()).isEmpty();
      assertThat(scene.status(id)).isEqualTo(Status.REPLAYED);
      end.countDown();
      assertThat(scene.awaitAll(plan).tally().resolved()).isEqualTo(1);
    }
  }

  @Test
  void one_whose_worker_died_and_that_is_gone_is_never_known_and_repeated_by_force_alone()
      throws Exception {
    runUntilTheWorkerDies();
    scene.management.purgeStream(scene.stream);
    scene.management.deleteConsumer(scene.stream, Scene.CONSUMER);

    assertThat(scene.awaitAll(plan).tally()).isEqualTo(UNKNOWN);
    assertRepeatedByForceAlone();
  }

  @Test
  void one_that_was_taken_away_as_an_orphan_came_back_as_that() throws Exception {
    scene.run(plan);
    scene.bury(DeadLetterId.ORPHAN, Reason.ORPHANED, copy(), 1);
    scene.management.deleteMessage(scene.stream, copy());

    assertThat(scene.awaitAll(plan).tally().returned()).isEqualTo(1);
    assertThat(scene.events.outcome(id, 1).join().orElseThrow())
        .isInstanceOfSatisfying(
            ReplayOutcome.Returned.class,
            returned -> assertThat(returned.as().consumer()).isEqualTo(DeadLetterId.ORPHAN));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void one_that_a_guard_found_dead_came_back_as_that_whether_it_is_there_or_not(boolean there)
      throws Exception {
    scene.run(plan);
    scene.bury(Scene.CONSUMER, Reason.EXHAUSTED, copy(), 1);
    if (!there) {
      scene.management.deleteMessage(scene.stream, copy());
    }

    assertThat(scene.awaitAll(plan).tally().returned()).isEqualTo(1);
    assertThat(scene.status(id)).isEqualTo(Status.RETURNED);
  }

  @Test
  void one_whose_worker_died_and_that_a_guard_found_dead_came_back_as_that() throws Exception {
    runUntilTheWorkerDies();
    scene.bury(Scene.CONSUMER, Reason.EXHAUSTED, copy(), 1);
    scene.management.deleteMessage(scene.stream, copy());

    assertThat(scene.awaitAll(plan).tally().returned()).isEqualTo(1);
  }

  private void runUntilTheWorkerDies() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    try (ContrailConsumer worker =
        scene
            .consumer(Scene.CONSUMER)
            .drainTimeout(Duration.ofMillis(100))
            .handler(
                delivery -> {
                  running.countDown();
                  never.await();
                })
            .start()) {
      scene.run(plan);
      running.await();
    }
  }

  private void assertRepeatedByForceAlone() throws Exception {
    assertThat(scene.plan(scene.all(), PlanOptions.DEFAULT, false).entries()).isZero();
    PlanHead forced = scene.plan(scene.all(), PlanOptions.DEFAULT, true);
    assertThat(forced.entries()).isEqualTo(1);
    try (ContrailConsumer next = scene.worker()) {
      scene.plans.run(forced.plan(), Scene.ANN, true, new StopSign(), PlanReport.NO_LISTENER);
      assertThat(scene.awaitAll(forced).tally().resolved()).isEqualTo(1);
    }
  }

  /** The sequence of the copy that was published last. */
  private long copy() throws Exception {
    return scene.management.getStreamInfo(scene.stream).getStreamState().getLastSequence();
  }
}
