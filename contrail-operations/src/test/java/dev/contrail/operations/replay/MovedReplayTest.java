package dev.contrail.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.event.Status;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where copies go changes between a decision and the run that finds it. */
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
    PlanHead plan = scene.plan(new PlanOptions(Optional.of(subject), Optional.empty(), 0, true, 3));
    KillingReplayPort.killAfterStep(scene, plan);
    scene.management.updateStream(
        StreamConfiguration.builder().name(scene.stream).subjects(scene.stream + ".new").build());
    String elsewhere = scene.stream + "-elsewhere";
    makeStream(elsewhere, subject);

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

  private void makeStream(String name, String subject) throws Exception {
    scene.management.addStream(
        StreamConfiguration.builder().name(name).subjects(List.of(subject)).build());
  }

  private void awaitSeenBy(String consumer) {
    org.awaitility.Awaitility.await()
        .atMost(Scene.SOON)
        .until(
            () -> {
              var info = scene.management.getConsumerInfo(scene.stream, consumer);
              return info.getNumPending() == 0 && info.getNumAckPending() == 0;
            });
  }
}
