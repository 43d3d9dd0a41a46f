package dev.contrail.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Replays to a consumer that is written with the NATS client for Node and tells nothing of what
 * becomes of a message.
 */
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.cli.DeadLetterPlace#servers")
class ForeignReplayTest {
  private static final String CONSUMER = "mail";

  @TempDir Path folder;

  private final NatsServerBinary binary;

  @SuppressWarnings("NullAway.Init") // every test opens it first
  private DeadLetterPlace place;

  ForeignReplayTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @AfterEach
  void close() throws Exception {
    place.close();
  }

  /** One message that the consumer got as often as it may and never acknowledged. */
  private String open(RetentionPolicy retention) throws Exception {
    place = new DeadLetterPlace(NatsServer.builder().binary(binary).start(), folder, retention);
    assertThat(place.run("init")).as(place.err).isZero();
    place.management.addOrUpdateConsumer(
        "ORDERS",
        ConsumerConfiguration.builder()
            .durable(CONSUMER)
            .maxDeliver(1)
            .ackWait(Duration.ofMillis(500))
            .build());
    place.connection.jetStream().publish("orders.new", "order 1".getBytes(UTF_8));
    try (NodeConsumer node = NodeConsumer.start(place, CONSUMER, NodeConsumer.Habit.LEAVE)) {
      node.awaitLine("leave 1 nothing order 1");
      await().atMost(DeadLetterPlace.SOON).until(() -> advisories() == 1);
    }
    guard();
    assertThat(place.entries()).hasSize(1);
    return place.entries().get(0).get("id").asString();
  }

  private long advisories() throws Exception {
    return place.management.getStreamInfo("CONTRAIL_ADVISORIES").getStreamState().getMsgCount();
  }

  private void guard() {
    assertThat(place.run("guard", "--once", "--release", "ORDERS")).as(place.err).isZero();
  }

  @Test
  void on_a_workqueue_stream_it_is_concluded_to_be_resolved_when_it_is_acknowledged()
      throws Exception {
    String id = open(RetentionPolicy.WorkQueue);
    // Nobody takes it yet: the outcome is not known, and it is not guessed.
    assertThat(place.run("dlq", "replay", id, "--yes", "--json"))
        .as(place.err)
        .isEqualTo(ExitCode.FINE);
    String plan = place.json().get("plan").asString();
    assertThat(place.json().get("waiting").asInt()).isEqualTo(1);

    try (NodeConsumer node = NodeConsumer.start(place, CONSUMER, NodeConsumer.Habit.ACK)) {
      assertThat(place.run("dlq", "plans", "resume", plan, "--wait", "--yes", "--json"))
          .as(place.err)
          .isEqualTo(ExitCode.FINE);
      node.awaitLine("ack 2 " + id + " order 1");
    }
    assertThat(place.json().get("resolved").asInt()).isEqualTo(1);
    assertThat(place.json().get("inferred").asInt()).isEqualTo(1);
    assertThat(place.run("dlq", "replay", id, "--yes")).isEqualTo(ExitCode.FAILED);
    assertThat(place.err).contains("it is resolved in plan " + plan);
  }

  @Test
  void it_came_back_when_a_guard_finds_the_copy_dead() throws Exception {
    String id = open(RetentionPolicy.WorkQueue);
    try (NodeConsumer node = NodeConsumer.start(place, CONSUMER, NodeConsumer.Habit.LEAVE)) {
      Path output = folder.resolve("replay.json");
      Process waiting = place.start(output, "dlq", "replay", id, "--yes", "--wait", "--json");
      node.awaitLine("leave 2 " + id + " order 1");
      await().atMost(DeadLetterPlace.SOON).until(() -> advisories() == 2);
      assertThat(waiting.isAlive()).as(Files.readString(output)).isTrue();
      guard();

      assertThat(waiting.waitFor(60, TimeUnit.SECONDS)).isTrue();
      String told = Files.readString(output);
      assertThat(waiting.exitValue()).as(told).isEqualTo(ExitCode.FAILED);
      assertThat(told).contains("\"returned\" : 1", "as " + id.replaceFirst("1$", "2"));
    }
  }

  @Test
  void on_a_limits_stream_the_outcome_is_not_known_and_nobody_waits_for_it() throws Exception {
    String id = open(RetentionPolicy.Limits);
    try (NodeConsumer node = NodeConsumer.start(place, CONSUMER, NodeConsumer.Habit.ACK)) {
      assertThat(place.run("dlq", "replay", id, "--yes", "--wait", "--json"))
          .as(place.err)
          .isEqualTo(ExitCode.FINE);
      node.awaitLine("ack 2 " + id + " order 1");
    }
    assertThat(place.json().get("unknown").asInt()).isEqualTo(1);
    assertThat(place.json().get("waiting").asInt()).isZero();
    assertThat(place.err)
        .contains(
            "What becomes of the copies will not be known: consumer mail is not run by Contrail");

    // Its outcome is not known: nobody publishes another one unless he insists.
    assertThat(place.run("dlq", "replay", id, "--yes")).isEqualTo(ExitCode.FAILED);
    assertThat(place.published()).isEqualTo(2);
    assertThat(place.run("dlq", "replay", id, "--yes", "--force"))
        .as(place.err)
        .isEqualTo(ExitCode.FINE);
    await().atMost(DeadLetterPlace.SOON).until(() -> place.published() == 3);
  }
}
