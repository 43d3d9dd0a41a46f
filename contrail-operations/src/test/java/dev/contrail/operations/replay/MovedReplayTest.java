package dev.contrail.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.event.Event;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Status;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Reason;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.CopyPublisher.Fate;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import dev.contrail.plan.Rate;
import io.nats.client.Connection;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where copies go, or who takes them, changes while they are replayed. */
@Timeout(60)
class MovedReplayTest {
  @SuppressWarnings("NullAway.Init") // opened before every test
  private Scene scene;

  @BeforeEach
  void open() throws Exception {
    scene = Scene.on(Scene.newest(), RetentionPolicy.Limits);
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void decided_on_while_its_stream_was_missing_it_is_run_by_the_consumer_that_failed_alone()
      throws Exception {
    DeadLetterId id = scene.die(1).get(0);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    scene.management.deleteStream(scene.stream);
    KillingReplayPort.killAfterStep(scene, plan);
    assertThat(scene.status(id)).isEqualTo(Status.REPLAYING);
    makeStream(scene.stream, scene.stream + ".>");

    Queue<Object> others = new ConcurrentLinkedQueue<>();
    try (ContrailConsumer mail = scene.consumer("mail").handler(others::add).start()) {
      scene.run(plan);
      // Before the one that it is for: a copy for anybody would be gone then.
      awaitSeenBy("mail");
      try (ContrailConsumer billing = scene.worker()) {
        assertThat(scene.awaitAll(plan).tally().resolved()).isEqualTo(1);
      }
    }
    assertThat(scene.runs).hasSize(1);
    assertThat(others).isEmpty();
    assertThat(scene.status(id)).isEqualTo(Status.RESOLVED);
  }

  @Test
  void a_subject_that_another_stream_takes_by_now_gets_no_copy_and_the_entry_is_open_again()
      throws Exception {
    String subject = scene.stream + ".again";
    DeadLetterId id = scene.die(1).get(0);
    PlanHead plan = scene.plan(to(subject));
    KillingReplayPort.killAfterStep(scene, plan);
    String elsewhere = moveElsewhere(subject);

    scene.run(plan);

    assertThat(scene.management.getStreamInfo(elsewhere).getStreamState().getMsgCount()).isZero();
    assertThat(scene.status(id)).isEqualTo(Status.OPEN);
    assertThat(scene.plans.report(plan.plan(), Scene.ANN).findings())
        .extracting(PlanReport.Finding::why)
        .containsExactly(
            "it was decided on for "
                + subject
                + " of stream "
                + scene.stream
                + " and consumer billing, and would go to "
                + subject
                + " of stream "
                + elsewhere
                + " and any consumer now; replay it again");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void what_no_worker_of_contrail_gave_up_on_is_given_up_by_force_alone(boolean moved)
      throws Exception {
    String subject = scene.stream + ".again";
    scene.bury(Scene.CONSUMER, Reason.EXHAUSTED, 1_000_001, 1);
    PlanHead plan = scene.plan(to(subject));
    KillingReplayPort.killAfterStep(scene, plan);
    if (moved) {
      moveElsewhere(subject);
    } else {
      scene.management.deleteStream(scene.stream);
    }

    assertThat(scene.run(plan).unsettled()).hasSize(1);
    RunResult forced =
        scene.plans.run(plan.plan(), Scene.ANN, true, new StopSign(), PlanReport.NO_LISTENER);
    assertThat(forced.unsettled()).isEmpty();
    assertThat(scene.all()).hasSize(1).allMatch(it -> it.state().status() == Status.OPEN);
  }

  @Test
  void of_a_copy_that_another_stream_took_nothing_is_concluded() throws Exception {
    DeadLetterId id = scene.die(1).get(0);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    KillingReplayPort.run(
        scene,
        plan,
        port ->
            new KillingReplayPort(port) {
              @Override
              public CompletableFuture<Fate> publish(String to, byte[] block, byte[] payload) {
                return CompletableFuture.runAsync(() -> moveNow(to))
                    .thenCompose(any -> super.publish(to, block, payload));
              }
            });
    // For its workers it is a message like any other, of which they tell nothing.
    String elsewhere = scene.stream + "-elsewhere";
    try (ContrailConsumer worker =
        Contrail.consumer(scene.connection, elsewhere, Scene.CONSUMER)
            .prefix(scene.names.prefix())
            .handler(scene.runs::add)
            .start()) {
      await().atMost(Scene.SOON).until(() -> worker.status().counts().done() == 1);
    }
    scene.management.purgeStream(elsewhere);

    assertThat(scene.awaitAll(plan).tally()).isEqualTo(new Tally(0, 0, 1, 0, 0, 0, 0, 0));
    assertThat(scene.status(id)).isNotEqualTo(Status.OPEN);
  }

  private void moveNow(String subject) {
    try (Connection other = Contrail.connect(scene.url)) {
      other
          .jetStreamManagement()
          .updateStream(
              StreamConfiguration.builder()
                  .name(scene.stream)
                  .subjects(scene.stream + ".other")
                  .build());
      other
          .jetStreamManagement()
          .addStream(
              StreamConfiguration.builder()
                  .name(scene.stream + "-elsewhere")
                  .subjects(subject)
                  .build());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_copy_to_a_stream_that_was_made_while_the_plan_ran_is_followed_there() throws Exception {
    scene.die(2);
    PlanHead plan = scene.plan(new PlanOptions(Optional.empty(), Rate.parse("10/m"), 0, true, 3));
    scene.management.deleteStream(scene.stream);
    KillingReplayPort.run(
        scene,
        plan,
        port ->
            new KillingReplayPort(port) {
              @Override
              public CompletableFuture<Boolean> tell(Event event) {
                return super.tell(event)
                    .thenCompose(
                        told ->
                            event.fact() instanceof ReplayOutcome.Failed
                                ? CompletableFuture.supplyAsync(() -> madeAgain(told))
                                : CompletableFuture.completedFuture(told));
              }
            });
    assertThat(scene.messages()).as("copies").isEqualTo(1);
    scene.bury(DeadLetterId.ORPHAN, Reason.ORPHANED, 1, 1);
    scene.management.deleteMessage(scene.stream, 1);

    assertThat(scene.awaitAll(plan).tally().returned()).isEqualTo(1);
  }

  private boolean madeAgain(boolean told) {
    try {
      makeStream(scene.stream, scene.stream + ".>");
      return told;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void what_was_for_a_foreign_consumer_is_not_published_again_once_contrail_runs_it()
      throws Exception {
    Duration window = Duration.ofSeconds(1);
    scene.close();
    scene = Scene.on(Scene.newest(), RetentionPolicy.WorkQueue, window);
    scene.management.addOrUpdateConsumer(
        scene.stream,
        ConsumerConfiguration.builder()
            .durable(Scene.CONSUMER)
            .ackPolicy(AckPolicy.Explicit)
            .build());
    scene.bury(Scene.CONSUMER, Reason.EXHAUSTED, 1_000_001, 1);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    KillingReplayPort.killAfterPublish(scene, plan);
    scene
        .connection
        .jetStream()
        .subscribe(null, PullSubscribeOptions.bind(scene.stream, Scene.CONSUMER))
        .fetch(1, Scene.SOON)
        .get(0)
        .ackSync(Duration.ofSeconds(5));
    scene.awaitDuplicateWindowOver(window);
    scene.management.deleteConsumer(scene.stream, Scene.CONSUMER);
    try (ContrailConsumer worker = scene.worker()) {
      scene.connection.jetStream().publish(scene.subject(), new byte[0]);
      await().atMost(Scene.SOON).until(() -> worker.status().counts().done() == 1);
      scene.awaitEmpty();

      assertThat(scene.run(plan).unsettled()).hasSize(1);
    }
    assertThat(scene.messages()).as("copies").isZero();
  }

  @Test
  void nor_what_was_decided_on_for_it_while_its_stream_was_missing() throws Exception {
    scene.bury(Scene.CONSUMER, Reason.EXHAUSTED, 1_000_001, 1);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    scene.management.deleteStream(scene.stream);
    KillingReplayPort.killAfterStep(scene, plan);
    makeStream(scene.stream, scene.stream + ".>");
    KillingReplayPort.killAfterPublish(scene, plan);
    assertThat(scene.messages()).as("copies for a consumer that tells nothing").isEqualTo(1);

    // Made again, the stream knows no ids, as it would not after its window.
    scene.management.deleteStream(scene.stream);
    scene.management.addStream(
        StreamConfiguration.builder()
            .name(scene.stream)
            .subjects(scene.stream + ".>")
            .duplicateWindow(Duration.ofMillis(100))
            .build());
    try (ContrailConsumer worker = scene.worker()) {
      scene.connection.jetStream().publish(scene.subject(), new byte[0]);
      await().atMost(Scene.SOON).until(() -> worker.status().counts().done() == 1);

      assertThat(scene.run(plan).unsettled()).hasSize(1);
    }
    assertThat(scene.messages()).as("messages").isEqualTo(1);
  }

  private static PlanOptions to(String subject) {
    return new PlanOptions(Optional.of(subject), Optional.empty(), 0, true, 3);
  }

  /** The name of the stream that takes the subject then. */
  private String moveElsewhere(String subject) throws Exception {
    String elsewhere = scene.stream + "-elsewhere";
    scene.management.updateStream(
        StreamConfiguration.builder().name(scene.stream).subjects(scene.stream + ".new").build());
    makeStream(elsewhere, subject);
    return elsewhere;
  }

  private void makeStream(String name, String subject) throws Exception {
    scene.management.addStream(StreamConfiguration.builder().name(name).subjects(subject).build());
  }

  private void awaitSeenBy(String consumer) {
    await()
        .atMost(Scene.SOON)
        .until(
            () -> {
              var info = scene.management.getConsumerInfo(scene.stream, consumer);
              return info.getNumPending() == 0 && info.getNumAckPending() == 0;
            });
  }
}
