package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.contrail.jetstream.ConsumerNotice.Kind;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What may happen to a server, a consumer and a stream under a worker's feet. */
@OnEveryServer
class SurvivalTest {
  private final NatsServerBinary binary;
  private final Set<Long> done = ConcurrentHashMap.newKeySet();
  private final Queue<Kind> notices = new ConcurrentLinkedQueue<>();
  private NatsServer server;
  private Workplace workplace;

  SurvivalTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    server = NatsServer.builder().binary(binary).start();
    workplace = Workplace.workqueue(server);
  }

  @AfterEach
  void close() {
    workplace.close();
    server.close();
  }

  private ConsumerBuilder<byte[]> recording() {
    return workplace
        .consumer()
        .onNotice(notice -> notices.add(notice.kind()))
        .handler(delivery -> done.add(delivery.sequence()));
  }

  @Test
  void a_server_that_is_killed_and_comes_back_is_worked_on() throws Exception {
    try (ContrailConsumer consumer = recording().start()) {
      workplace.publish(2_000, "before");
      await().atMost(Workplace.SOON).until(() -> done.size() > 500);
      server.kill();
      server.startAgain();
      await().atMost(Workplace.SOON).ignoreExceptions().until(() -> workplace.publish("after") > 0);
      await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptions()
          .until(() -> workplace.messages() == 0);
    }
    assertThat(done).as("messages that were run").hasSizeGreaterThanOrEqualTo(2_001);
    assertThat(workplace.deadLetterCount()).isZero();
  }

  @Test
  void a_consumer_that_contrail_made_is_made_again_when_somebody_deletes_it() throws Exception {
    try (ContrailConsumer consumer = recording().start()) {
      workplace.publish("first");
      workplace.awaitEmpty();
      workplace.management.deleteConsumer(workplace.stream, "worker");
      workplace.publish("second");
      workplace.awaitEmpty();
      assertThat(notices).contains(Kind.CONSUMER_GONE, Kind.CONSUMER_BACK);
    }
    assertThat(done).containsExactlyInAnyOrder(1L, 2L);
  }

  @Test
  void a_consumer_of_others_is_waited_for() throws Exception {
    ConsumerConfiguration theirs =
        ConsumerConfiguration.builder().durable("worker").ackPolicy(AckPolicy.Explicit).build();
    workplace.management.addOrUpdateConsumer(workplace.stream, theirs);
    try (ContrailConsumer consumer = recording().start()) {
      workplace.publish("first");
      workplace.awaitEmpty();
      workplace.management.deleteConsumer(workplace.stream, "worker");
      await().atMost(Workplace.SOON).until(() -> notices.contains(Kind.CONSUMER_GONE));
      workplace.publish("second");
      workplace.management.addOrUpdateConsumer(workplace.stream, theirs);
      workplace.awaitEmpty();
    }
    assertThat(done).containsExactlyInAnyOrder(1L, 2L);
  }

  @Test
  void a_consumer_made_unsafe_underneath_is_not_pulled_from_until_it_is_mended() throws Exception {
    ConsumerConfiguration sound =
        ConsumerConfiguration.builder().durable("worker").ackPolicy(AckPolicy.Explicit).build();
    ConsumerConfiguration unsafe = ConsumerConfiguration.builder(sound).maxDeliver(3).build();
    workplace.management.addOrUpdateConsumer(workplace.stream, sound);
    try (ContrailConsumer consumer = recording().start()) {
      workplace.publish("first");
      workplace.awaitEmpty();
      workplace.management.deleteConsumer(workplace.stream, "worker");
      workplace.management.addOrUpdateConsumer(workplace.stream, unsafe);
      await().atMost(Workplace.SOON).until(() -> notices.contains(Kind.CONSUMER_GONE));
      workplace.publish("second");
      workplace.management.addOrUpdateConsumer(workplace.stream, sound);
      workplace.awaitEmpty();
    }
    assertThat(done).containsExactlyInAnyOrder(1L, 2L);
  }

  @Test
  void no_outcome_of_an_old_message_touches_one_of_a_stream_that_was_made_again() throws Exception {
    CountDownLatch deleted = new CountDownLatch(1);
    Set<String> finished = ConcurrentHashMap.newKeySet();
    Set<String> begun = ConcurrentHashMap.newKeySet();
    workplace.publish("old");
    try (ContrailConsumer consumer =
        workplace
            .consumer()
            .concurrency(2)
            .handler(
                delivery -> {
                  String word = new String(delivery.data(), StandardCharsets.UTF_8);
                  begun.add(word);
                  if (word.equals("old")) {
                    deleted.await();
                  }
                  finished.add(word);
                })
            .start()) {
      await().atMost(Workplace.SOON).until(() -> begun.contains("old"));
      workplace.management.deleteStream(workplace.stream);
      workplace.management.addStream(workplace.plainStream(RetentionPolicy.WorkQueue).build());
      workplace.publish("new");
      await().atMost(Workplace.SOON).until(() -> finished.contains("new"));
      deleted.countDown();
      await().atMost(Workplace.SOON).until(() -> finished.contains("old"));
      workplace.awaitEmpty();
    }
  }

  @Test
  void a_stream_that_is_missing_is_said_in_one_sentence() {
    assertThatThrownBy(
            () ->
                Contrail.consumer(workplace.connection, "NOWHERE", "worker")
                    .handler(delivery -> {})
                    .start())
        .isInstanceOf(StreamNotFoundException.class)
        .hasMessageContaining("Stream NOWHERE does not exist");
  }

  @Test
  void pausing_holds_everything_and_resuming_goes_on() throws Exception {
    try (ContrailConsumer consumer = recording().start()) {
      consumer.pause();
      await().atMost(Workplace.SOON).until(() -> consumer.status().paused());
      workplace.publish(10, "work");
      await().during(Duration.ofSeconds(1)).atMost(Workplace.SOON).until(done::isEmpty);
      consumer.resume();
      workplace.awaitEmpty();
    }
    assertThat(done).hasSize(10);
  }

  @Test
  void closing_finishes_what_runs_and_returns_the_rest_at_once() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    workplace.publish(8, "work");
    ContrailConsumer consumer =
        workplace
            .consumer()
            .ackWait(Duration.ofMinutes(5))
            .concurrency(1)
            .drainTimeout(Duration.ofMillis(500))
            .handler(
                delivery -> {
                  running.countDown();
                  goOn.await();
                  done.add(delivery.sequence());
                })
            .start();
    running.await();
    consumer.close();
    assertThat(done).as("finished by a handler that was interrupted").isEmpty();

    // With AckWait at five minutes only what was returned comes again so soon.
    goOn.countDown();
    try (ContrailConsumer next = recording().ackWait(Duration.ofMinutes(5)).start()) {
      workplace.awaitEmpty();
    }
    assertThat(done).hasSize(8);
  }

  @Test
  void closing_lets_a_handler_finish_and_acknowledges_it() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    workplace.publish("work");
    ContrailConsumer consumer =
        workplace
            .consumer()
            .handler(
                delivery -> {
                  running.countDown();
                  Workplace.work(Duration.ofSeconds(1));
                  done.add(delivery.sequence());
                })
            .start();
    running.await();
    consumer.close();
    consumer.close();
    assertThat(done).hasSize(1);
    workplace.awaitEmpty();
    assertThat(consumer.awaitClosed(Duration.ZERO)).isTrue();
  }
}
