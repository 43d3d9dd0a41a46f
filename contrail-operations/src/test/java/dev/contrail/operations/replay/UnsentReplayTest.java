package dev.contrail.operations.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.event.EventAddress;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Status;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.EventStore.Decider;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.plan.PlanEntry;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import dev.contrail.plan.PlanState;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.impl.Headers;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is not published, or no more once it was decided on, comes to an end all the same. */
@Timeout(60)
class UnsentReplayTest {
  private static final String GONE =
      "version 1 of its payload is gone; give it another one with contrail dlq edit or"
          + " --payload-file";
  private static final String PROCESSED = "its message was processed after all";

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
  void what_is_processed_after_it_was_decided_on_is_completed_and_not_published() throws Exception {
    DeadLetterId id = scene.die(1).get(0);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    KillingReplayPort.killAfterStep(scene, plan);
    processAfterAll();

    assertThat(scene.run(plan).state().kind()).isEqualTo(PlanState.Kind.FINISHED);

    assertThat(scene.status(id)).isEqualTo(Status.COMPLETED);
    assertThat(scene.messages()).as("the message and its copies").isEqualTo(1);
    assertThat(scene.plans.report(plan.plan(), Scene.ANN).findings())
        .extracting(PlanReport.Finding::why)
        .containsExactly(PROCESSED);
  }

  @Test
  void what_is_processed_after_its_copy_was_run_is_resolved() throws Exception {
    DeadLetterId id = scene.die(1).get(0);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    KillingReplayPort.killAfterPublish(scene, plan);
    processAfterAll();
    await().atMost(Scene.SOON).until(() -> scene.status(id) == Status.RESOLVED);

    assertThat(scene.run(plan).state().kind()).isEqualTo(PlanState.Kind.FINISHED);

    assertThat(scene.status(id)).isEqualTo(Status.RESOLVED);
    assertThat(scene.plans.report(plan.plan(), Scene.ANN).tally().resolved()).isEqualTo(1);
  }

  @Test
  void killed_between_giving_up_and_completing_it_is_completed_by_the_next_run() throws Exception {
    DeadLetterId id = scene.die(1).get(0);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    KillingReplayPort.killAfterStep(scene, plan);
    processAfterAll();
    KillingReplayPort.killAfterOutcome(scene, plan);
    assertThat(scene.status(id)).isEqualTo(Status.OPEN);

    assertThat(scene.run(plan).state().kind()).isEqualTo(PlanState.Kind.FINISHED);

    assertThat(scene.status(id)).isEqualTo(Status.COMPLETED);
    assertThat(scene.messages()).as("the message and its copies").isEqualTo(1);
  }

  @Test
  void one_whose_edit_is_gone_is_in_no_plan() throws Exception {
    DeadLetterId id = scene.die(1).get(0);
    editWithoutPayload(id);

    Draft draft = scene.plans.draft(scene.all(), PlanOptions.DEFAULT, false);

    assertThat(draft.planned()).isEmpty();
    assertThat(draft.leftOut()).containsExactly(new Draft.LeftOut(id, GONE));
    List<Candidate> supplied = scene.all().stream().map(it -> it.edited(7)).toList();
    assertThat(scene.plans.draft(supplied, PlanOptions.DEFAULT, false).planned())
        .as("with another payload")
        .extracting(Draft.Planned::bytes)
        .containsExactly(7L);
  }

  @Test
  void one_whose_edit_is_gone_since_the_plan_was_made_stays_open_and_the_others_are_replayed()
      throws Exception {
    List<DeadLetterId> ids = scene.die(2);
    editWithoutPayload(ids.get(0));
    PlanHead plan =
        scene.plans.create(
            List.of(new PlanEntry(ids.get(0), 1, 1), new PlanEntry(ids.get(1), 0, 0)),
            "all",
            PlanOptions.DEFAULT,
            Scene.ANN);

    assertThat(scene.run(plan).state().kind()).isEqualTo(PlanState.Kind.FINISHED);

    assertThat(scene.status(ids.get(0))).isEqualTo(Status.OPEN);
    assertThat(scene.messages()).as("the messages and the copy").isEqualTo(3);
    assertThat(scene.plans.report(plan.plan(), Scene.ANN).findings())
        .containsExactly(new PlanReport.Finding(ids.get(0), "failed", GONE));
  }

  @Test
  void one_whose_edit_is_gone_since_it_was_decided_on_is_open_again() throws Exception {
    DeadLetterId id = scene.die(1).get(0);
    edit(id, "mended".getBytes(UTF_8));
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    KillingReplayPort.killAfterStep(scene, plan);
    // As a purge does that takes the payload away.
    String subject = EventAddress.step(id, 1).subject(scene.names.prefix());
    Headers headers = new Headers();
    scene
        .management
        .getLastMessage(scene.names.eventStream(), subject)
        .getHeaders()
        .forEach(headers::add);
    headers.remove("Nats-Expected-Last-Subject-Sequence");
    scene.connection.jetStream().publish(subject, headers, new byte[0]);

    assertThat(scene.run(plan).state().kind()).isEqualTo(PlanState.Kind.FINISHED);

    assertThat(scene.status(id)).isEqualTo(Status.OPEN);
    assertThat(scene.events.outcome(id, 2).join()).contains(new ReplayOutcome.Failed(GONE));
  }

  private void editWithoutPayload(DeadLetterId id) {
    edit(id, new byte[0]);
  }

  /** Tells of the payload {@code mended}, and stores that one. */
  private void edit(DeadLetterId id, byte[] stored) {
    new Provisioning(
            scene.connection,
            JetStreamOptions.defaultOptions(),
            InitPlan.of(scene.names),
            Provision.CREATE)
        .ensure(List.of(Store.EVENTS));
    scene
        .events
        .take(
            id,
            scene.state(id),
            any -> Step.Edited.of(1, "mended".getBytes(UTF_8), ""),
            stored,
            new Decider(Scene.ANN, Instant.now(), false))
        .join();
  }

  /** A worker that knows nothing of its death processes it, as one does that was taken for dead. */
  private void processAfterAll() throws Exception {
    scene.management.deleteConsumer(scene.stream, Scene.CONSUMER);
    try (ContrailConsumer worker = scene.worker()) {
      await().atMost(Scene.SOON).until(() -> worker.status().counts().done() == scene.messages());
    }
  }
}
