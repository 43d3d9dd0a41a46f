package dev.contrail.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Status;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Reason;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.JetStreamSubscription;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams that keep by interest drop what no consumer waits for, and say that it is stored. */
@Timeout(60)
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.replay.Scene#servers")
class InterestReplayTest {
  private final NatsServerBinary binary;
  private Scene scene;
  private DeadLetterId id;

  InterestReplayTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    scene = Scene.on(binary, RetentionPolicy.Interest);
    makeConsumer(Scene.CONSUMER);
    scene.bury(Scene.CONSUMER, Reason.EXHAUSTED, 1_000_001, 1);
    id = scene.all().get(0).summary().id();
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void what_its_consumer_has_acknowledged_is_resolved() throws Exception {
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    scene.run(plan);
    JetStreamSubscription billing =
        scene
            .connection
            .jetStream()
            .subscribe(null, PullSubscribeOptions.bind(scene.stream, Scene.CONSUMER));
    billing.fetch(1, Scene.SOON).get(0).ackSync(Duration.ofSeconds(5));

    assertThat(scene.awaitAll(plan).tally().resolved()).isEqualTo(1);
  }

  @Test
  void without_its_consumer_nothing_is_published_and_the_entry_stays_open_with_the_reason()
      throws Exception {
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    scene.management.deleteConsumer(scene.stream, Scene.CONSUMER);
    makeConsumer("mail");
    String why =
        "there is no consumer billing on stream "
            + scene.stream
            + ", which keeps only what a consumer waits for";

    scene.run(plan);

    assertThat(scene.messages()).isZero();
    assertThat(scene.status(id)).isEqualTo(Status.OPEN);
    assertThat(scene.events.outcome(id, 1).join()).contains(new ReplayOutcome.Failed(why));
    assertThat(scene.plans.draft(scene.all(), PlanOptions.DEFAULT, false).leftOut())
        .containsExactly(new Draft.LeftOut(id, why));
  }

  @Test
  void what_went_with_its_consumer_is_not_taken_for_processed() throws Exception {
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    scene.run(plan);
    assertThat(scene.messages()).isEqualTo(1);
    scene.management.deleteConsumer(scene.stream, Scene.CONSUMER);
    scene.awaitEmpty();

    assertThat(scene.awaitAll(plan).tally()).isEqualTo(new Tally(0, 0, 1, 0, 0, 0, 0, 0));
    makeConsumer(Scene.CONSUMER);
    assertThat(scene.awaitAll(plan).tally()).isEqualTo(new Tally(0, 0, 1, 0, 0, 0, 0, 0));
    assertThat(scene.events.outcome(id, 1).join()).isEmpty();
  }

  private void makeConsumer(String name) throws Exception {
    scene.management.addOrUpdateConsumer(
        scene.stream,
        ConsumerConfiguration.builder().durable(name).ackPolicy(AckPolicy.Explicit).build());
  }
}
