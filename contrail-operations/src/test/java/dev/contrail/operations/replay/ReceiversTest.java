package dev.contrail.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.event.Status;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Reason;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Consumers that are not what they were when a message died, and who gets its copy then. */
@Timeout(60)
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.replay.Scene#servers")
class ReceiversTest {
  private final NatsServerBinary binary;

  @SuppressWarnings("NullAway.Init") // opened by every test
  private Scene scene;

  ReceiversTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void on_a_workqueue_the_consumer_that_took_the_place_of_another_processes_it() throws Exception {
    scene = Scene.on(binary, RetentionPolicy.WorkQueue);
    DeadLetterId id = scene.die(1).get(0);
    scene.management.deleteConsumer(scene.stream, Scene.CONSUMER);
    Queue<Object> invoiced = new ConcurrentLinkedQueue<>();
    try (ContrailConsumer heir = scene.consumer("invoicing").handler(invoiced::add).start()) {
      // With a ledger of its own.
      scene.connection.jetStream().publish(scene.subject(), new byte[0]);
      await().atMost(Scene.SOON).until(() -> heir.status().counts().done() == 1);
      assertThat(scene.plans.draft(scene.all(), PlanOptions.DEFAULT, false).warnings())
          .containsExactly(
              "Consumer billing of "
                  + scene.stream
                  + " does not take "
                  + scene.subject()
                  + " any more; who does gets the copies: invoicing.");
      PlanHead plan = scene.plan(PlanOptions.DEFAULT);
      scene.run(plan);

      assertThat(scene.awaitAll(plan).tally().resolved()).isEqualTo(1);
    }
    assertThat(invoiced).hasSize(2);
    assertThat(scene.status(id)).isEqualTo(Status.RESOLVED);
  }

  @Test
  void elsewhere_nobody_gets_what_the_consumer_that_failed_does_not_take_any_more()
      throws Exception {
    scene = Scene.on(binary, RetentionPolicy.Limits);
    DeadLetterId id = scene.die(1).get(0);
    PlanHead before = scene.plan(PlanOptions.DEFAULT);
    Queue<Object> mailed = new ConcurrentLinkedQueue<>();
    String why =
        "consumer billing of stream "
            + scene.stream
            + " does not take "
            + scene.subject()
            + " any more";
    try (ContrailConsumer mail = scene.consumer("mail").handler(mailed::add).start()) {
      await().atMost(Scene.SOON).until(() -> mail.status().counts().done() == 1);
      ConsumerConfiguration billing =
          scene.management.getConsumerInfo(scene.stream, Scene.CONSUMER).getConsumerConfiguration();
      scene.management.addOrUpdateConsumer(
          scene.stream,
          ConsumerConfiguration.builder(billing).filterSubject(scene.stream + ".eu").build());

      assertThat(scene.plans.draft(scene.all(), PlanOptions.DEFAULT, false).leftOut())
          .containsExactly(new Draft.LeftOut(id, why));
      scene.run(before);
      assertThat(scene.messages()).as("messages").isEqualTo(1);
    }
    assertThat(mailed).hasSize(1);
    assertThat(scene.status(id)).isEqualTo(Status.OPEN);
  }

  @Test
  void a_copy_that_is_dropped_before_a_foreign_consumer_is_given_it_is_not_taken_for_processed()
      throws Exception {
    scene = Scene.on(binary, RetentionPolicy.WorkQueue);
    keepOneOfASubject();
    makeForeignConsumer();
    scene.bury(Scene.CONSUMER, Reason.EXHAUSTED, 1_000_001, 10);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);

    scene.run(plan);

    PlanReport report = scene.plans.report(plan.plan(), Scene.ANN);
    assertThat(report.tally()).isEqualTo(new Tally(0, 1, 9, 0, 0, 0, 0, 0));
    assertThat(scene.plan(PlanOptions.DEFAULT).entries()).as("open").isZero();
    assertThat(scene.plan(scene.all(), PlanOptions.DEFAULT, true).entries())
        .as("repeated by force")
        .isEqualTo(10);
  }

  @Test
  void nor_is_one_that_somebody_deleted_before_that() throws Exception {
    scene = Scene.on(binary, RetentionPolicy.WorkQueue);
    makeForeignConsumer();
    scene.bury(Scene.CONSUMER, Reason.EXHAUSTED, 1_000_001, 1);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    scene.run(plan);
    scene.management.deleteMessage(scene.stream, 1);

    assertThat(scene.awaitAll(plan).tally()).isEqualTo(new Tally(0, 0, 1, 0, 0, 0, 0, 0));
  }

  @Test
  void where_copies_may_have_been_dropped_nothing_is_concluded_of_one_that_was_delivered()
      throws Exception {
    scene = Scene.on(binary, RetentionPolicy.WorkQueue);
    keepOneOfASubject();
    makeForeignConsumer();
    scene.bury(Scene.CONSUMER, Reason.EXHAUSTED, 1_000_001, 1);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    scene.run(plan);
    ackOne();

    assertThat(scene.awaitAll(plan).tally()).isEqualTo(new Tally(0, 0, 1, 0, 0, 0, 0, 0));
  }

  @ParameterizedTest
  @CsvSource({"1048576, 0", "1073741824, 1"})
  void a_stream_that_drops_by_size_may_have_dropped_it_where_so_much_can_have_come_since(
      long maxBytes, int resolved) throws Exception {
    scene = Scene.on(binary, RetentionPolicy.WorkQueue);
    scene.management.updateStream(
        StreamConfiguration.builder(scene.management.getStreamInfo(scene.stream).getConfiguration())
            .maxBytes(maxBytes)
            .discardPolicy(DiscardPolicy.Old)
            .build());
    makeForeignConsumer();
    scene.bury(Scene.CONSUMER, Reason.EXHAUSTED, 1_000_001, 1);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    scene.run(plan);
    ackOne();

    assertThat(scene.awaitAll(plan).tally())
        .isEqualTo(new Tally(0, 0, 1 - resolved, resolved, resolved, 0, 0, 0));
  }

  @Test
  void one_whose_outcome_came_since_it_was_drafted_by_force_is_not_repeated() throws Exception {
    scene = Scene.on(binary, RetentionPolicy.WorkQueue);
    makeForeignConsumer();
    scene.bury(Scene.CONSUMER, Reason.EXHAUSTED, 1_000_001, 1);
    PlanHead first = scene.plan(PlanOptions.DEFAULT);
    scene.run(first);
    PlanHead forced = scene.plan(scene.all(), PlanOptions.DEFAULT, true);
    assertThat(forced.entries()).isEqualTo(1);
    ackOne();
    assertThat(scene.awaitAll(first).tally().resolved()).isEqualTo(1);

    scene.plans.run(forced.plan(), Scene.ANN, true, new StopSign(), PlanReport.NO_LISTENER);

    assertThat(scene.messages()).as("copies").isZero();
    assertThat(scene.plans.report(forced.plan(), Scene.ANN).tally().leftOut()).isEqualTo(1);
  }

  private void keepOneOfASubject() throws Exception {
    scene.management.updateStream(
        StreamConfiguration.builder(scene.management.getStreamInfo(scene.stream).getConfiguration())
            .maxMessagesPerSubject(1)
            .build());
  }

  private void makeForeignConsumer() throws Exception {
    scene.management.addOrUpdateConsumer(
        scene.stream,
        ConsumerConfiguration.builder()
            .durable(Scene.CONSUMER)
            .ackPolicy(AckPolicy.Explicit)
            .build());
  }

  private void ackOne() throws Exception {
    scene
        .connection
        .jetStream()
        .subscribe(null, PullSubscribeOptions.bind(scene.stream, Scene.CONSUMER))
        .fetch(1, Scene.SOON)
        .get(0)
        .ackSync(Duration.ofSeconds(5));
  }
}
