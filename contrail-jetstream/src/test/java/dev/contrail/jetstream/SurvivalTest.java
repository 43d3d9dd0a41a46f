package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.contrail.jetstream.ConsumerNotice.Kind;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.RetentionPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
          .until(() -> done.size() >= 2_001 && nothingIsPending());
    }
    assertThat(workplace.deadLetterCount()).isZero();
  }

  /**
   * The stream may hold more: 2.9.10 may lose that it removed a message, and not that it was acked.
   */
  private boolean nothingIsPending() {
    ConsumerInfo consumer = workplace.consumerInfo();
    return consumer.getNumPending() + consumer.getNumAckPending() == 0;
  }

  @Test
  void a_server_that_is_restarted_in_order_under_load_loses_nothing() throws Exception {
    try (LogCapture log = new LogCapture();
        ContrailConsumer consumer = recording().start()) {
      workplace.publish(2_000, "before");
      await().atMost(Workplace.SOON).until(() -> done.size() > 200);
      server.restart();
      await().atMost(Workplace.SOON).ignoreExceptions().until(() -> workplace.publish("after") > 0);
      await().atMost(Workplace.SOON).ignoreExceptions().until(() -> workplace.messages() == 0);
      assertThat(log.at(Level.ERROR)).noneMatch(error -> error.contains("bug"));
    }
    assertThat(done).hasSizeGreaterThanOrEqualTo(2_001);
  }

  @Test
  void a_connection_that_is_cut_again_and_again_under_load_loses_nothing() throws Exception {
    int messages = 3_000;
    workplace.publish(messages, "work");
    try (LogCapture log = new LogCapture();
        Cable cable = Cable.to(server.port());
        Connection cut =
            Contrail.connect(
                Contrail.options(cable.url())
                    .reconnectWait(Duration.ofMillis(50))
                    .reconnectJitter(Duration.ofMillis(1))
                    .build());
        ContrailConsumer consumer =
            Contrail.consumer(cut, workplace.stream, "worker")
                .prefix(workplace.names.prefix())
                .ackWait(Duration.ofSeconds(2))
                .concurrency(8)
                .handler(
                    delivery -> {
                      Workplace.work(Duration.ofMillis(2));
                      done.add(delivery.sequence());
                    })
                .start()) {
      for (int share = 1; share <= 5; share++) {
        int enough = share * messages / 8;
        await().atMost(Workplace.SOON).until(() -> done.size() >= enough);
        cable.cut();
      }
      workplace.awaitEmpty();
      assertThat(log.at(Level.ERROR)).noneMatch(error -> error.contains("bug"));
    }
    assertThat(done).hasSize(messages);
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
      await()
          .during(Duration.ofMillis(300))
          .atMost(Workplace.SOON)
          .until(() -> workplace.management.getConsumerNames(workplace.stream).isEmpty());
      workplace.management.addOrUpdateConsumer(workplace.stream, theirs);
      workplace.awaitEmpty();
    }
    assertThat(done).containsExactlyInAnyOrder(1L, 2L);
  }

  static Stream<UnaryOperator<ConsumerConfiguration.Builder>> unsafeEdits() {
    return Stream.of(
        settings -> settings.maxDeliver(3),
        settings -> settings.maxDeliver(9).backoff(Duration.ofSeconds(1), Duration.ofSeconds(5)));
  }

  @ParameterizedTest
  @MethodSource("unsafeEdits")
  void a_consumer_made_unsafe_underneath_is_not_pulled_from_until_it_is_mended(
      UnaryOperator<ConsumerConfiguration.Builder> edit) throws Exception {
    Queue<String> texts = new ConcurrentLinkedQueue<>();
    Queue<String> pulls = new ConcurrentLinkedQueue<>();
    workplace
        .connection
        .createDispatcher(pull -> pulls.add(pull.getReplyTo()))
        .subscribe("$JS.API.CONSUMER.MSG.NEXT." + workplace.stream + ".worker");
    try (ContrailConsumer consumer =
        recording()
            .options(options -> options.patrol = Duration.ofMillis(200))
            .onNotice(
                notice -> {
                  notices.add(notice.kind());
                  texts.add(notice.text());
                })
            .start()) {
      workplace.publish("first");
      workplace.awaitEmpty();
      ConsumerConfiguration sound = workplace.consumerInfo().getConsumerConfiguration();
      workplace.management.addOrUpdateConsumer(
          workplace.stream, edit.apply(ConsumerConfiguration.builder(sound)).build());
      await().atMost(Workplace.SOON).until(() -> notices.contains(Kind.CONSUMER_GONE));
      assertThat(texts).last().asString().contains("is not safe to work with", " is ");
      pulls.clear();
      workplace.publish(20, "second");
      await().during(Duration.ofMillis(500)).atMost(Workplace.SOON).until(pulls::isEmpty);

      workplace.management.addOrUpdateConsumer(workplace.stream, sound);
      workplace.awaitEmpty();
      assertThat(notices).containsOnlyOnce(Kind.CONSUMER_GONE).contains(Kind.CONSUMER_BACK);
    }
    assertThat(done).hasSize(21);
  }

  @Test
  void an_old_run_that_ends_just_when_its_stream_is_made_again_acknowledges_nothing()
      throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    Queue<String> acks = new ConcurrentLinkedQueue<>();
    workplace.publish("old");
    try (ContrailConsumer consumer =
        recording()
            .concurrency(2)
            .handler(
                delivery -> {
                  if (!text(delivery.data()).equals("old")) {
                    return;
                  }
                  begun.countDown();
                  goOn.await();
                  done.add(delivery.sequence());
                })
            .start()) {
      begun.await();
      workplace
          .connection
          .createDispatcher(
              ack -> {
                if (text(ack.getData()).startsWith("+ACK")) {
                  acks.add(ack.getSubject());
                }
              })
          .subscribe("$JS.ACK." + workplace.stream + ".>");
      workplace.management.deleteStream(workplace.stream);
      workplace.management.addStream(workplace.plainStream(RetentionPolicy.WorkQueue).build());
      workplace.publish("new");
      Message taken = workplace.deliver();
      goOn.countDown();
      await().atMost(Workplace.SOON).until(() -> !done.isEmpty());
      await().atMost(Workplace.SOON).until(() -> notices.contains(Kind.CONSUMER_GONE));
      await().during(Duration.ofMillis(500)).atMost(Workplace.SOON).until(acks::isEmpty);
      taken.nak();
      workplace.awaitEmpty();
    }
  }

  @Test
  void no_outcome_of_an_old_message_touches_one_of_a_stream_that_was_made_again() throws Exception {
    CountDownLatch deleted = new CountDownLatch(1);
    Set<String> finished = ConcurrentHashMap.newKeySet();
    Set<String> begun = ConcurrentHashMap.newKeySet();
    Queue<String> keys = new ConcurrentLinkedQueue<>();
    String old = workplace.incarnation();
    workplace.publish("old");
    try (ContrailConsumer consumer =
        workplace
            .consumer()
            .concurrency(2)
            .handler(
                delivery -> {
                  String word = text(delivery.data());
                  begun.add(word);
                  if (word.equals("old")) {
                    deleted.await();
                    keys.add(delivery.idempotencyKey());
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
      assertThat(keys).containsExactly(workplace.stream + "." + old + ".1");
      workplace.awaitEmpty();
    }
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

  private static String text(byte[] data) {
    return new String(data, StandardCharsets.UTF_8);
  }
}
