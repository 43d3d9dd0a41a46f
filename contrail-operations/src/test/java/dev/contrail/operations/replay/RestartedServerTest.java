package dev.contrail.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.event.Status;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Reason;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Nats;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The server goes and comes back while outcomes are awaited. */
@Timeout(120)
class RestartedServerTest {
  private static final Duration FIVE_SECONDS = Duration.ofSeconds(5);

  @SuppressWarnings("NullAway.Init") // opened before every test
  private NatsServer server;

  @SuppressWarnings("NullAway.Init") // opened before every test
  private Scene scene;

  @BeforeEach
  void open() throws Exception {
    server = NatsServer.builder().binary(Scene.newest()).start();
    scene = Scene.at(server.url(), "S", "r");
    scene.management.addStream(
        StreamConfiguration.builder()
            .name(scene.stream)
            .subjects(scene.stream + ".>")
            .retentionPolicy(RetentionPolicy.WorkQueue)
            .build());
  }

  @AfterEach
  void close() {
    scene.close();
    server.close();
  }

  @Test
  void who_waits_for_outcomes_goes_on_waiting() throws Exception {
    scene.die(1);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    scene.run(plan);
    CountDownLatch looked = new CountDownLatch(3);
    CompletableFuture<PlanReport> waiting =
        CompletableFuture.supplyAsync(() -> awaited(plan, looked));
    looked.await();

    server.kill();
    // Longer than from one look to the next.
    assertThat(new CountDownLatch(1).await(1_500, TimeUnit.MILLISECONDS)).isFalse();
    server.startAgain();
    awaitStream();

    try (ContrailConsumer worker = scene.worker()) {
      assertThat(waiting.join().tally().resolved()).isEqualTo(1);
    }
  }

  private PlanReport awaited(PlanHead plan, CountDownLatch looked) {
    try {
      return scene.plans.await(
          plan.plan(),
          Scene.ANN,
          new StopSign(),
          new RunListener() {
            @Override
            public void settled(int done, int of) {
              looked.countDown();
            }

            @Override
            public void notice(String sentence) {}
          });
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void what_a_foreign_consumer_acknowledged_is_not_open_again_when_the_server_forgot_that()
      throws Exception {
    scene.management.addOrUpdateConsumer(
        scene.stream,
        ConsumerConfiguration.builder()
            .durable(Scene.CONSUMER)
            .ackPolicy(AckPolicy.Explicit)
            .build());
    scene.bury(Scene.CONSUMER, Reason.EXHAUSTED, 1_000_001, 1);
    DeadLetterId id = scene.all().get(0).summary().id();
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    try (Connection foreign = Nats.connect(server.url())) {
      JetStreamSubscription messages =
          foreign
              .jetStream()
              .subscribe(null, PullSubscribeOptions.bind(scene.stream, Scene.CONSUMER));
      // One that stays: without any the server would know by its stream how far the consumer was.
      foreign.jetStream().publish(scene.subject(), new byte[0]);
      foreign.jetStream().publish(scene.subject(), new byte[0]);
      scene.run(plan);
      messages.fetch(1, FIVE_SECONDS);
      // The server writes down the first of what is acknowledged within a moment.
      messages.fetch(1, FIVE_SECONDS).get(0).ackSync(FIVE_SECONDS);
      messages.fetch(1, FIVE_SECONDS).get(0).ackSync(FIVE_SECONDS);
      server.kill();
    }
    server.startAgain();
    awaitStream();

    Tally tally = scene.awaitAll(plan).tally();

    assertThat(tally.failed()).as("%s", tally).isZero();
    assertThat(scene.status(id)).isNotEqualTo(Status.OPEN);
  }

  private void awaitStream() {
    await()
        .atMost(Scene.SOON)
        .ignoreExceptions()
        .until(() -> scene.management.getStreamInfo(scene.stream) != null);
  }
}
