package dev.contrail.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.cli.NodeConsumer.Habit;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Consumers written with the NATS client for Node give up on messages, each in its way. */
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.cli.DeadLetterPlace#servers")
class ForeignGuardTest {
  private static final List<Habit> FAILING =
      List.of(Habit.NAK, Habit.DELAY, Habit.LEAVE, Habit.TERM);
  private static final int EACH = 2;
  private static final int ALL = EACH * 4;

  @TempDir Path folder;

  private final NatsServerBinary binary;

  @SuppressWarnings("NullAway.Init") // every test opens it first
  private DeadLetterPlace place;

  ForeignGuardTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @AfterEach
  void close() throws Exception {
    place.close();
  }

  private void open(RetentionPolicy retention) throws Exception {
    place = new DeadLetterPlace(NatsServer.builder().binary(binary).start(), folder, retention);
    assertThat(place.run("init")).as(place.err).isZero();
    for (Habit habit : FAILING) {
      durable(habit.text(), 2, "orders." + habit.text());
    }
    if (retention == RetentionPolicy.Interest) {
      durable("audit", -1, "orders.>");
    }
  }

  private void durable(String name, int maxDeliver, String filter) throws Exception {
    place.management.addOrUpdateConsumer(
        "ORDERS",
        ConsumerConfiguration.builder()
            .durable(name)
            .maxDeliver(maxDeliver)
            .ackWait(Duration.ofMillis(500))
            .filterSubject(filter)
            .build());
  }

  /** Has all of them fail, until the server has given up on every message. */
  private void fail() throws Exception {
    for (Habit habit : FAILING) {
      for (int i = 0; i < EACH; i++) {
        place
            .connection
            .jetStream()
            .publish("orders." + habit.text(), ("order " + i).getBytes(UTF_8));
      }
    }
    List<NodeConsumer> consumers = new ArrayList<>();
    try {
      for (Habit habit : FAILING) {
        consumers.add(NodeConsumer.start(place, habit.text(), habit));
      }
      await()
          .atMost(DeadLetterPlace.SOON)
          .until(
              () ->
                  place
                          .management
                          .getStreamInfo("CONTRAIL_ADVISORIES")
                          .getStreamState()
                          .getMsgCount()
                      >= ALL);
    } finally {
      for (NodeConsumer consumer : consumers) {
        consumer.close();
      }
    }
  }

  private long stored() throws Exception {
    return place.management.getStreamInfo("ORDERS").getStreamState().getMsgCount();
  }

  private void assertOneDeadLetterEach() {
    Map<String, List<String>> reasons = new TreeMap<>();
    place
        .entries()
        .forEach(
            it ->
                reasons
                    .computeIfAbsent(it.get("consumer").asString(), any -> new ArrayList<>())
                    .add(it.get("reason").asString()));
    assertThat(reasons)
        .isEqualTo(
            Map.of(
                "nak", List.of("exhausted", "exhausted"),
                "delay", List.of("exhausted", "exhausted"),
                "leave", List.of("exhausted", "exhausted"),
                "term", List.of("terminated", "terminated")));
  }

  @ParameterizedTest
  @EnumSource(
      value = RetentionPolicy.class,
      names = {"WorkQueue", "Interest", "Limits"})
  void each_ends_as_one_dead_letter_and_the_source_is_released(RetentionPolicy retention)
      throws Exception {
    open(retention);
    fail();

    assertThat(place.run("guard", "--once", "--release", "ORDERS")).as(place.err).isZero();

    assertOneDeadLetterEach();
    if (retention == RetentionPolicy.Interest) {
      assertThat(stored()).as("wanted by the audit").isEqualTo(ALL);
      try (NodeConsumer audit = NodeConsumer.start(place, "audit", Habit.ACK)) {
        await().atMost(DeadLetterPlace.SOON).until(() -> stored() == 0);
        assertThat(audit.lines().stream().filter(it -> it.startsWith("ack "))).hasSize(ALL);
      }
    } else {
      assertThat(stored()).isEqualTo(retention == RetentionPolicy.Limits ? ALL : 0);
    }
    assertThat(place.run("guard", "--once", "--release", "ORDERS")).as(place.err).isZero();
    assertOneDeadLetterEach();
  }

  @Test
  void a_guard_that_runs_meanwhile_ends_in_order() throws Exception {
    open(RetentionPolicy.WorkQueue);
    Path output = folder.resolve("guard.txt");
    Process guard = place.start(output, "guard", "--release-all");
    try {
      fail();
      await().atMost(DeadLetterPlace.SOON).until(() -> stored() == 0);
      await().atMost(DeadLetterPlace.SOON).until(() -> place.entries().size() == ALL);
      guard.destroy();
      assertThat(guard.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(guard.exitValue()).isZero();
    } finally {
      guard.destroyForcibly();
    }
    assertOneDeadLetterEach();
    assertThat(Files.readString(output))
        .contains("This guard leads.", "Ended: 8 advisories, 8 dead-lettered, 6 released.");
  }
}
