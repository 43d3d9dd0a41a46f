package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@OnEveryServer
class FallbackSubjectTest {
  private static final byte[] BODY = Wire.bytes("order");

  /** So that what is noticed soon was told by an advisory. */
  private static final Duration NEVER = Duration.ofHours(1);

  private final NatsServerBinary binary;
  private Workplace place;
  private String fallback;

  FallbackSubjectTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    place = Workplace.workqueue(Servers.shared(binary));
    fallback = "fallback" + place.stream + ".orders";
    place.management.addStream(
        StreamConfiguration.builder().name("F" + place.stream).subjects(fallback).build());
  }

  @AfterEach
  void close() {
    place.close();
  }

  private PublisherBuilder publisher(Connection connection) {
    return Contrail.publisher(connection).fallback(fallback).refreshEvery(NEVER);
  }

  private void consumer(String name, String... filters) throws Exception {
    place.management.addOrUpdateConsumer(
        place.stream,
        ConsumerConfiguration.builder().durable(name).filterSubjects(filters).build());
  }

  @Test
  void what_a_consumer_claims_goes_where_it_was_sent() throws Exception {
    consumer("worker", place.stream + ".*");
    try (ContrailPublisher publisher = publisher(place.connection).start()) {
      Published published = publisher.publish(place.subject(), "k", BODY);

      assertThat(published.subject()).isEqualTo(place.subject());
      assertThat(published.reroutedFrom()).isEmpty();
      assertThat(place.management.getMessage(place.stream, 1).getHeaders().keySet())
          .containsExactly("Nats-Msg-Id");
    }
  }

  @Test
  void what_none_claims_goes_to_the_fallback_and_says_so() throws Exception {
    consumer("worker", place.subject());
    String unknown = place.stream + ".unknown";
    try (LogCapture log = new LogCapture();
        ContrailPublisher publisher = publisher(place.connection).start()) {
      Published published = publisher.publish(unknown, "k", BODY);
      publisher.publish(unknown, "k2", BODY);

      assertThat(published)
          .isEqualTo(
              new Published(
                  "F" + place.stream, 1, false, false, fallback, Optional.of(unknown), 1));
      MessageInfo stored = place.management.getMessage("F" + place.stream, 1);
      assertThat(stored.getHeaders().getFirst("Contrail-Rerouted-From")).isEqualTo(unknown);
      assertThat(place.messages()).isZero();
      assertThat(publisher.status().rerouted()).isEqualTo(2);
      assertThat(log.at(Level.WARN))
          .containsExactly(
              "No consumer claims " + unknown + ": its messages go to " + fallback + ".");
    }
  }

  @Test
  void what_no_stream_takes_goes_to_the_fallback_too() {
    try (ContrailPublisher publisher = publisher(place.connection).start()) {
      assertThat(publisher.publish("no.stream", "k", BODY).reroutedFrom()).contains("no.stream");
    }
  }

  @Test
  void a_consumer_that_comes_is_noticed_by_the_next_message() throws Exception {
    try (ContrailPublisher publisher = publisher(place.connection).start()) {
      assertThat(publisher.publish(place.subject(), "k1", BODY).reroutedFrom()).isPresent();

      consumer("worker", place.subject());

      await()
          .atMost(Workplace.SOON)
          .until(() -> publisher.publish(place.subject(), "k2", BODY).reroutedFrom().isEmpty());
    }
  }

  @Test
  void a_consumer_that_goes_is_noticed_by_its_advisory() throws Exception {
    consumer("worker", place.subject());
    try (ContrailPublisher publisher = publisher(place.connection).start()) {
      assertThat(publisher.publish(place.subject(), "k1", BODY).reroutedFrom()).isEmpty();

      place.management.deleteConsumer(place.stream, "worker");

      await()
          .atMost(Workplace.SOON)
          .until(() -> publisher.publish(place.subject(), "k2", BODY).reroutedFrom().isPresent());
    }
  }

  /** Servers tell nobody that a consumer has another filter now. */
  @Test
  void a_filter_that_changes_is_noticed_in_time() throws Exception {
    consumer("worker", place.subject());
    try (ContrailPublisher publisher =
        publisher(place.connection).refreshEvery(Duration.ofMillis(200)).start()) {
      assertThat(publisher.publish(place.subject(), "k1", BODY).reroutedFrom()).isEmpty();

      consumer("worker", place.stream + ".other");

      await()
          .atMost(Workplace.SOON)
          .until(() -> publisher.publish(place.subject(), "k2", BODY).reroutedFrom().isPresent());
    }
  }

  /** A message of the same key in another stream is no duplicate there. */
  @Test
  void a_message_keeps_its_subject_when_its_consumer_goes_between_two_attempts() throws Exception {
    consumer("worker", place.subject());
    try (Cable cable = Cable.to(place.server.port());
        Connection connection = Contrail.connect(cable.url());
        ContrailPublisher publisher = publisher(connection).start()) {
      publisher.publish(place.subject(), "k0", BODY);
      cable.loseAnswers();
      CompletableFuture<Published> result = publisher.publishAsync(place.subject(), "k", BODY);
      await().atMost(Workplace.SOON).until(() -> place.messages() == 2);
      place.management.deleteConsumer(place.stream, "worker");
      cable.carryAnswers();
      cable.cut();

      Published published = result.get(30, TimeUnit.SECONDS);

      assertThat(published.reroutedFrom()).isEmpty();
      assertThat(published.duplicate()).isTrue();
    }
  }

  @Test
  void a_fallback_that_no_stream_takes_is_refused_at_the_start() {
    assertThatThrownBy(
            () -> Contrail.publisher(place.connection).fallback("no.stream.at.all").start())
        .isInstanceOf(ContrailException.class)
        .hasMessage(
            "No stream takes the fallback subject no.stream.at.all; “nats stream add” makes one"
                + " that does.");
  }

  @Test
  void a_message_that_was_rerouted_before_does_not_say_so_where_it_is_claimed() throws Exception {
    consumer("worker", place.subject());
    Headers old = new Headers().add("Contrail-Rerouted-From", "old.subject");
    try (ContrailPublisher publisher = publisher(place.connection).start()) {
      publisher.publish(place.subject(), "k", old, BODY);

      assertThat(place.management.getMessage(place.stream, 1).getHeaders().keySet())
          .containsExactly("Nats-Msg-Id");
    }
  }

  @Test
  void streams_of_every_retention_are_looked_at_alike() throws Exception {
    try (Workplace limits = Workplace.on(place.server, RetentionPolicy.Limits);
        ContrailPublisher publisher = publisher(limits.connection).start()) {
      assertThat(publisher.publish(limits.subject(), "k", BODY).reroutedFrom()).isPresent();
      limits.management.addOrUpdateConsumer(
          limits.stream, ConsumerConfiguration.builder().durable("all").build());
      await()
          .atMost(Workplace.SOON)
          .until(() -> publisher.publish(limits.subject(), "k2", BODY).reroutedFrom().isEmpty());
    }
  }

  /**
   * Has the result of a message wait, so that it takes up room. An answer may be there before
   * anybody can ask to be told: then this thread is, and another is published.
   */
  private CompletableFuture<Void> holding(ContrailPublisher publisher, Semaphore room) {
    Thread self = Thread.currentThread();
    AtomicBoolean tooLate = new AtomicBoolean();
    CompletableFuture<Void> held;
    int key = 0;
    do {
      tooLate.set(false);
      held =
          publisher
              .publishAsync(place.subject(), "held-" + key++, BODY)
              .thenAccept(
                  stored -> {
                    if (Thread.currentThread() == self) {
                      tooLate.set(true);
                    } else {
                      room.acquireUninterruptibly();
                    }
                  });
    } while (tooLate.get());
    return held;
  }

  /** What was true before it waited for room may be so no more. */
  @Test
  void who_claims_a_message_is_looked_up_when_there_is_room_for_it() throws Exception {
    consumer("all", place.subject());
    Semaphore room = new Semaphore(0);
    try (LogCapture log = new LogCapture();
        ContrailPublisher publisher = publisher(place.connection).inFlight(1).start()) {
      CompletableFuture<Void> slow = holding(publisher, room);
      AtomicReference<Published> second = new AtomicReference<>();
      Thread waiting = new Thread(() -> second.set(publisher.publish(place.subject(), "k1", BODY)));
      waiting.start();
      await().atMost(Workplace.SOON).until(() -> waiting.getState() == Thread.State.WAITING);
      assertThat(publisher.status().inFlight()).isEqualTo(1);
      place.management.deleteConsumer(place.stream, "all");
      await()
          .atMost(Workplace.SOON)
          .until(() -> log.at(Level.INFO).contains("what consumers take has changed"));
      room.release();
      waiting.join();
      slow.get(30, TimeUnit.SECONDS);

      assertThat(second.get())
          .extracting(Published::reroutedFrom)
          .isEqualTo(Optional.of(place.subject()));
    }
  }
}
