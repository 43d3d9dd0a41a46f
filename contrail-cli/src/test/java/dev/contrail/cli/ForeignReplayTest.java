package dev.contrail.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Death;
import dev.contrail.evidence.EvidenceEncoder;
import dev.contrail.evidence.Incarnation;
import dev.contrail.evidence.Limits;
import dev.contrail.evidence.OriginalMessage;
import dev.contrail.evidence.Reason;
import dev.contrail.failure.Failure;
import dev.contrail.jetstream.RawHeaders;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.impl.Headers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replays to a consumer that is written with the NATS client for Node and tells nothing of what
 * becomes of a message.
 */
class ForeignReplayTest {
  private static final String CONSUMER = "mail";

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init") // every test opens it first
  private DeadLetterPlace place;

  @AfterEach
  void close() throws Exception {
    place.close();
  }

  /** One message that the consumer got as often as it may and never acknowledged. */
  private DeadLetterId open(RetentionPolicy retention) throws Exception {
    place = new DeadLetterPlace(folder, retention);
    assertThat(place.run("init")).as(place.err).isZero();
    place.management.addOrUpdateConsumer(
        "ORDERS", ConsumerConfiguration.builder().durable(CONSUMER).maxDeliver(1).build());
    place.connection.jetStream().publish("orders.new", "order 1".getBytes(UTF_8));
    try (NodeConsumer node = NodeConsumer.start(place, CONSUMER, NodeConsumer.Habit.LEAVE)) {
      node.awaitLine("leave 1 nothing order 1");
    }
    DeadLetterId id = bury(1);
    if (retention == RetentionPolicy.WorkQueue) {
      place.management.deleteMessage("ORDERS", 1);
    }
    return id;
  }

  /** Writes the dead letter of a message as a guard does that saw the server give up on it. */
  private DeadLetterId bury(long sequence) throws Exception {
    MessageInfo message = place.management.getMessage("ORDERS", sequence);
    Instant created = place.management.getStreamInfo("ORDERS").getCreateTime().toInstant();
    DeadLetterId id = new DeadLetterId("ORDERS", CONSUMER, Incarnation.of(created), sequence);
    OriginalMessage original =
        OriginalMessage.of(
            message.getSubject(),
            message.getTime().toInstant(),
            RawHeaders.headers(message.getHeaders()),
            message.getData());
    Death death =
        new Death(
            Reason.EXHAUSTED,
            Instant.now(),
            1,
            Failure.of(new IllegalStateException("delivered 1 time and never acknowledged")),
            new Death.Witness("guard@host", Optional.empty()));
    var head =
        EvidenceEncoder.encode(new DeadLetter(id, original, death), Limits.ofMessages(1 << 20))
            .head();
    Headers headers = new Headers();
    head.headers().forEach(line -> headers.add(line.name(), line.value()));
    place.connection.jetStream().publish(id.subject("contrail"), headers, head.body());
    return id;
  }

  @Test
  void on_a_workqueue_stream_it_is_concluded_to_be_resolved_when_it_is_acknowledged()
      throws Exception {
    DeadLetterId id = open(RetentionPolicy.WorkQueue);
    // Nobody takes it yet: the outcome is not known, and it is not guessed.
    assertThat(place.run("dlq", "replay", id.toString(), "--yes", "--json"))
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
    assertThat(place.run("dlq", "replay", id.toString(), "--yes")).isEqualTo(ExitCode.FAILED);
    assertThat(place.err).contains("it is resolved in plan " + plan);
  }

  @Test
  void it_came_back_when_a_guard_finds_the_copy_dead() throws Exception {
    DeadLetterId id = open(RetentionPolicy.WorkQueue);
    try (NodeConsumer node = NodeConsumer.start(place, CONSUMER, NodeConsumer.Habit.LEAVE)) {
      CompletableFuture<Integer> waiting =
          CompletableFuture.supplyAsync(
              () -> place.run("dlq", "replay", id.toString(), "--yes", "--wait", "--json"));
      node.awaitLine("leave 2 " + id + " order 1");
      assertThat(waiting).isNotDone();
      DeadLetterId again = bury(2);

      assertThat(waiting.get(60, TimeUnit.SECONDS)).as(place.err).isEqualTo(ExitCode.FAILED);
      assertThat(place.json().get("returned").asInt()).isEqualTo(1);
      assertThat(place.json().get("findings").get(0).get("why").asString())
          .isEqualTo("as " + again);
    }
  }

  @Test
  void on_a_limits_stream_the_outcome_is_not_known_and_nobody_waits_for_it() throws Exception {
    DeadLetterId id = open(RetentionPolicy.Limits);
    try (NodeConsumer node = NodeConsumer.start(place, CONSUMER, NodeConsumer.Habit.ACK)) {
      assertThat(place.run("dlq", "replay", id.toString(), "--yes", "--wait", "--json"))
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
    assertThat(place.run("dlq", "replay", id.toString(), "--yes")).isEqualTo(ExitCode.FAILED);
    assertThat(place.published()).isEqualTo(2);
    assertThat(place.run("dlq", "replay", id.toString(), "--yes", "--force"))
        .as(place.err)
        .isEqualTo(ExitCode.FINE);
    await().atMost(DeadLetterPlace.SOON).until(() -> place.published() == 3);
  }
}
