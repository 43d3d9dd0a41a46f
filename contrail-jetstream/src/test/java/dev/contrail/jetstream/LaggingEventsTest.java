package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.event.CopyPlace;
import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.Fact;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.RetentionPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Copies that a worker meets while the server that it asks lags behind, or did before. */
@Timeout(60)
@OnEveryServer
class LaggingEventsTest {
  private final NatsServerBinary binary;
  private final Queue<Long> runs = new ConcurrentLinkedQueue<>();
  private Workplace workplace;
  private Copies copies;

  LaggingEventsTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    workplace = Workplace.on(Servers.shared(binary), RetentionPolicy.Limits);
    copies = Copies.on(workplace, RetentionPolicy.Limits);
  }

  @AfterEach
  void close() {
    workplace.close();
  }

  @Test
  void a_copy_whose_step_the_server_does_not_know_yet_is_not_run_by_a_consumer_it_is_not_for()
      throws Exception {
    Copies.Replay replay = copies.decide(0, Optional.of("mail"));
    replay.publish("ok");
    try (ContrailConsumer consumer =
        workplace
            .consumer()
            .handler(delivery -> runs.add(delivery.sequence()))
            .options(options -> options.api = LaggingApi::new)
            .start()) {
      long marker = workplace.publish("marker");
      await().atMost(Workplace.SOON).until(() -> consumer.status().counts().deduplicated() == 1);
      await().atMost(Workplace.SOON).until(() -> !runs.isEmpty());
      assertThat(runs).containsExactly(marker);
    }
  }

  @Test
  void a_copy_whose_turn_was_passed_on_has_the_next_when_the_other_is_gone() throws Exception {
    Copies.Replay replay = copies.decide();
    long there = replay.publish("ok");
    long gone = replay.publishOutsideOfWindow("ok");
    claim(replay, 1, there);
    // Somebody took the first for gone.
    claim(replay, 2, gone);
    workplace.management.deleteMessage(workplace.stream, gone, false);
    try (ContrailConsumer consumer =
        workplace
            .consumer()
            .ackWait(Duration.ofMillis(600))
            .handlerTimeout(Duration.ofMillis(1_500))
            .handler(delivery -> runs.add(delivery.sequence()))
            .start()) {
      assertThat(replay.awaitOutcome()).isInstanceOf(ReplayOutcome.Resolved.class);
    }
    assertThat(runs).containsExactly(there);
  }

  private void claim(Copies.Replay replay, int turn, long sequence) {
    Fact.Run run =
        new Fact.Run(new CopyPlace(workplace.stream, workplace.incarnation(), sequence), "worker");
    copies
        .events
        .create(new Event(EventAddress.run(replay.entry(), 1, turn), Instant.now(), "7@host", run))
        .join();
  }

  /** Knows nothing of any step when it is asked for the first time. */
  private static final class LaggingApi extends JetStreamApi {
    private final Set<String> asked = ConcurrentHashMap.newKeySet();

    LaggingApi(Connection connection, JetStreamOptions options) {
      super(connection, options);
    }

    @Override
    CompletableFuture<Optional<StoredMessage>> last(String stream, String subject) {
      return subject.contains(".step.") && asked.add(subject)
          ? CompletableFuture.completedFuture(Optional.empty())
          : super.last(stream, subject);
    }
  }
}
