package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.impl.Headers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@OnEveryServer
class ContrailPublisherTest {
  private static final byte[] BODY = Wire.bytes("order");

  private final NatsServerBinary binary;
  private Workplace place;

  ContrailPublisherTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    place = Workplace.on(Servers.shared(binary), RetentionPolicy.Limits);
  }

  @AfterEach
  void close() {
    place.close();
  }

  private ContrailPublisher publisher() {
    return Contrail.publisher(place.connection).start();
  }

  @Test
  void a_message_is_stored_with_its_key_and_its_headers() throws Exception {
    Headers headers = new Headers().add("X-Tenant", "acme", "other");
    try (ContrailPublisher publisher = publisher()) {
      Published published = publisher.publish(place.subject(), "order-1", headers, BODY);

      assertThat(published)
          .isEqualTo(
              new Published(place.stream, 1, false, false, place.subject(), Optional.empty(), 1));
      MessageInfo stored = place.management.getMessage(place.stream, 1);
      assertThat(stored.getData()).isEqualTo(BODY);
      assertThat(stored.getHeaders().get("X-Tenant")).containsExactly("acme", "other");
      assertThat(stored.getHeaders().get("Nats-Msg-Id")).containsExactly("order-1");
      assertThat(headers.keySet()).as("the caller's own").containsExactly("X-Tenant");
    }
  }

  @Test
  void the_second_message_of_a_key_is_reported_as_a_duplicate_and_not_stored() {
    try (ContrailPublisher publisher = publisher()) {
      publisher.publish(place.subject(), "order-1", BODY);
      Published again = publisher.publish(place.subject(), "order-1", BODY);

      assertThat(again.duplicate()).isTrue();
      assertThat(again.sequence()).isEqualTo(1);
      assertThat(place.messages()).isEqualTo(1);
      assertThat(publisher.status()).isEqualTo(new PublisherStatus(2, 1, 0, 0, 0, 0, 0, 0));
    }
  }

  @Test
  void a_key_in_the_headers_must_be_the_key() {
    Headers other = new Headers().add("nats-msg-id", "order-2");
    try (ContrailPublisher publisher = publisher()) {
      assertThatThrownBy(() -> publisher.publish(place.subject(), "order-1", other, BODY))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "The headers name Nats-Msg-Id order-2 and the key is order-1; a message has one, so"
                  + " leave the header out.");
      publisher.publish(place.subject(), "order-2", other, BODY);
      assertThat(publisher.publish(place.subject(), "order-2", BODY).duplicate()).isTrue();
    }
  }

  @Test
  void what_cannot_be_a_key_or_a_subject_is_refused() {
    try (ContrailPublisher publisher = publisher()) {
      for (String key : List.of("", " a", "a\r\nX: y", "é")) {
        assertThatThrownBy(() -> publisher.publish(place.subject(), key, BODY))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("cannot be the key of a message");
      }
      for (String subject : List.of("", "a b", "a..b", "a.*", "a.>")) {
        assertThatThrownBy(() -> publisher.publish(subject, "k", BODY))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("is no subject to publish to");
      }
    }
  }

  @Test
  void a_subject_that_no_stream_takes_is_refused_without_retries() {
    try (ContrailPublisher publisher =
        Contrail.publisher(place.connection).retryFor(Duration.ofHours(1)).start()) {
      assertThatThrownBy(() -> publisher.publish("nobody.takes.this", "order-1", BODY))
          .isInstanceOf(NotPublishedException.class)
          .hasMessage(
              "Message “order-1” to nobody.takes.this is not published: no stream takes it; “nats"
                  + " stream add” makes one that does.");
      assertThat(publisher.status().refused()).isEqualTo(1);
    }
  }

  /** The server would close the connection for it, and each retry would do so again. */
  @Test
  void a_message_too_large_with_its_headers_is_refused_and_the_connection_stays() {
    int most = (int) place.connection.getMaxPayload();
    try (ContrailPublisher publisher =
        Contrail.publisher(place.connection).retryFor(Duration.ofHours(1)).start()) {
      assertThatThrownBy(() -> publisher.publish(place.subject(), "k", new byte[most - 10]))
          .isInstanceOf(NotPublishedException.class)
          .hasMessageMatching(
              "Message “k” to \\S+ is not published: with its headers it has \\d+ bytes, and the"
                  + " NATS server takes 1048576 at most.");
      assertThat(publisher.publish(place.subject(), "k", new byte[most - 40]).attempts())
          .isEqualTo(1);
    }
  }

  @Test
  void a_message_that_the_stream_will_never_take_is_refused_at_once() throws Exception {
    place.management.updateStream(
        place.plainStream(RetentionPolicy.Limits).maximumMessageSize(100).build());
    try (ContrailPublisher publisher =
        Contrail.publisher(place.connection).retryFor(Duration.ofHours(1)).start()) {
      assertThatThrownBy(() -> publisher.publish(place.subject(), "k", new byte[200]))
          .isInstanceOf(NotPublishedException.class)
          .hasMessageContaining("the NATS server refuses it: message size exceeds maximum allowed");
    }
  }

  @Test
  void a_message_that_a_full_stream_refuses_is_stored_when_there_is_room() throws Exception {
    place.management.updateStream(
        place
            .plainStream(RetentionPolicy.Limits)
            .maxMessages(1)
            .discardPolicy(DiscardPolicy.New)
            .build());
    place.publish("full");
    try (ContrailPublisher publisher = publisher()) {
      CompletableFuture<Published> result = publisher.publishAsync(place.subject(), "k", BODY);
      await().atMost(Workplace.SOON).until(() -> publisher.status().retries() > 1);
      assertThat(result).isNotDone();

      place.management.purgeStream(place.stream);

      assertThat(result.get(30, TimeUnit.SECONDS).sequence()).isEqualTo(2);
    }
  }

  @Test
  void a_stream_that_stays_full_refuses_when_the_time_is_over() throws Exception {
    place.management.updateStream(
        place
            .plainStream(RetentionPolicy.Limits)
            .maxMessages(1)
            .discardPolicy(DiscardPolicy.New)
            .build());
    place.publish("full");
    try (ContrailPublisher publisher =
        Contrail.publisher(place.connection).retryFor(Duration.ofMillis(300)).start()) {
      assertThatThrownBy(() -> publisher.publish(place.subject(), "k", BODY))
          .isInstanceOf(NotPublishedException.class)
          .hasMessageContaining("refuses it for now: maximum messages exceeded");
      assertThat(place.messages()).isEqualTo(1);
    }
  }

  @Test
  void a_lost_answer_makes_no_second_message() throws Exception {
    try (Cable cable = Cable.to(place.server.port());
        Connection connection = Contrail.connect(cable.url());
        ContrailPublisher publisher = Contrail.publisher(connection).start()) {
      cable.loseAnswers();
      CompletableFuture<Published> result = publisher.publishAsync(place.subject(), "k", BODY);
      await().atMost(Workplace.SOON).until(() -> place.messages() == 1);
      cable.carryAnswers();
      cable.cut();

      Published published = result.get(30, TimeUnit.SECONDS);

      assertThat(published.duplicate()).as("its own first attempt").isTrue();
      assertThat(published.sequence()).isEqualTo(1);
      assertThat(published.attempts()).isGreaterThan(1);
      assertThat(published.possiblyTwice()).isFalse();
      assertThat(place.messages()).isEqualTo(1);
    }
  }

  /** To send it again would store it twice. */
  /** So clusters of 2.10 and older answer a repetition while they decide on what it repeats. */
  @Test
  void an_ack_without_a_sequence_is_none() {
    String subject = place.stream + "-in-process";
    AtomicInteger attempts = new AtomicInteger();
    place
        .connection
        .createDispatcher(
            message ->
                place.connection.publish(
                    message.getReplyTo(),
                    Wire.bytes(
                        "{\"stream\":\"S\",\"seq\":"
                            + (attempts.incrementAndGet() == 1 ? 0 : 7)
                            + ",\"duplicate\":true}")))
        .subscribe(subject);
    try (ContrailPublisher publisher =
        Contrail.publisher(place.connection).duplicateWindow(Duration.ofMinutes(2)).start()) {
      Published published = publisher.publish(subject, "order-1", BODY);

      assertThat(published.sequence()).isEqualTo(7);
      assertThat(attempts).hasValue(2);
    }
  }

  @Test
  void nothing_is_sent_again_when_the_duplicate_window_is_over() throws Exception {
    Duration window = Duration.ofSeconds(1);
    place.management.updateStream(
        place.plainStream(RetentionPolicy.Limits).duplicateWindow(window).build());
    try (Cable cable = Cable.to(place.server.port());
        Connection connection = Contrail.connect(cable.url());
        ContrailPublisher publisher = Contrail.publisher(connection).start()) {
      cable.loseAnswers();
      CompletableFuture<Published> result = publisher.publishAsync(place.subject(), "k", BODY);
      await().atMost(Workplace.SOON).until(() -> place.messages() == 1);
      long stored = System.nanoTime();
      await().until(() -> System.nanoTime() - stored > 2 * window.toNanos());
      cable.carryAnswers();
      cable.cut();

      assertThatThrownBy(() -> result.get(30, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOf(MaybePublishedException.class)
          .hasMessage(
              "Message “k” to "
                  + place.subject()
                  + " may be stored or not: the connection was lost before an answer came.");
      assertThat(place.messages()).isEqualTo(1);
      assertThat(publisher.status().unknown()).isEqualTo(1);
    }
  }

  @Test
  void messages_published_while_the_server_is_away_are_stored_when_it_is_back() throws Exception {
    try (NatsServer server = NatsServer.builder().binary(binary).start();
        Workplace own = Workplace.workqueue(server);
        ContrailPublisher publisher = Contrail.publisher(own.connection).start()) {
      publisher.publish(own.subject(), "first", BODY);
      server.kill();
      List<CompletableFuture<Published>> results = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        results.add(publisher.publishAsync(own.subject(), "k" + i, BODY));
      }
      assertThat(results).noneMatch(CompletableFuture::isDone);
      server.startAgain();

      for (CompletableFuture<Published> result : results) {
        assertThat(result.get(60, TimeUnit.SECONDS).duplicate()).isFalse();
      }
      await().atMost(Workplace.SOON).until(() -> own.messages() == 101);
    }
  }

  @Test
  void a_server_that_stays_away_is_said_so_and_nothing_can_be_stored() throws Exception {
    try (NatsServer server = NatsServer.builder().binary(binary).start();
        Workplace own = Workplace.workqueue(server);
        ContrailPublisher publisher =
            Contrail.publisher(own.connection).retryFor(Duration.ofMillis(200)).start()) {
      server.kill();
      await().until(() -> own.connection.getStatus() != Connection.Status.CONNECTED);

      assertThatThrownBy(() -> publisher.publish(own.subject(), "k", BODY))
          .isInstanceOf(NotPublishedException.class)
          .hasMessageContaining("is not published: the NATS server is away.");
    }
  }

  /** A server that starts knows the keys of the messages that it holds, and these are gone. */
  @Test
  void a_message_that_may_have_been_consumed_before_a_restart_is_possibly_stored_twice()
      throws Exception {
    try (NatsServer server = NatsServer.builder().binary(binary).start();
        Workplace own = Workplace.workqueue(server);
        Cable cable = Cable.to(server.port());
        Connection connection = Contrail.connect(cable.url());
        ContrailPublisher publisher = Contrail.publisher(connection).start()) {
      cable.loseAnswers();
      CompletableFuture<Published> result = publisher.publishAsync(own.subject(), "k", BODY);
      await().atMost(Workplace.SOON).until(() -> own.messages() == 1);
      own.deliver().ackSync(Workplace.SOON);
      own.awaitEmpty();
      server.restart();
      cable.carryAnswers();
      cable.cut();

      Published published = result.get(30, TimeUnit.SECONDS);

      assertThat(published.duplicate()).isFalse();
      assertThat(published.possiblyTwice()).isTrue();
    }
  }

  @Test
  void no_more_are_under_way_than_allowed_and_the_next_waits() throws Exception {
    try (NatsServer server = NatsServer.builder().binary(binary).start();
        Workplace own = Workplace.workqueue(server);
        ContrailPublisher publisher = Contrail.publisher(own.connection).inFlight(3).start()) {
      server.freeze();
      List<CompletableFuture<Published>> results = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        results.add(publisher.publishAsync(own.subject(), "k" + i, BODY));
      }
      Thread fourth = new Thread(() -> publisher.publish(own.subject(), "k3", BODY), "fourth");
      fourth.start();
      await().atMost(Workplace.SOON).until(() -> fourth.getState() == Thread.State.WAITING);
      assertThat(publisher.status().inFlight()).isEqualTo(3);
      server.thaw();
      fourth.join();

      assertThat(own.messages()).isEqualTo(4);
      assertThat(results).allMatch(CompletableFuture::isDone);
    }
  }

  /** It would wait for itself. */
  @Test
  void what_runs_on_a_result_may_publish_though_no_more_are_allowed() throws Exception {
    try (ContrailPublisher publisher = Contrail.publisher(place.connection).inFlight(1).start()) {
      CompletableFuture<Published> chain = publisher.publishAsync(place.subject(), "k0", BODY);
      for (int i = 1; i < 20; i++) {
        String key = "k" + i;
        chain = chain.thenCompose(before -> publisher.publishAsync(place.subject(), key, BODY));
      }

      assertThat(chain.get(30, TimeUnit.SECONDS).sequence()).isEqualTo(20);
    }
  }

  @Test
  void closing_waits_for_what_is_under_way_and_then_refuses() throws Exception {
    ContrailPublisher publisher = publisher();
    List<CompletableFuture<Published>> results = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      results.add(publisher.publishAsync(place.subject(), "k" + i, BODY));
    }
    publisher.close();

    assertThat(results).allMatch(result -> result.isDone() && !result.isCompletedExceptionally());
    assertThatThrownBy(() -> publisher.publish(place.subject(), "late", BODY))
        .isInstanceOf(NotPublishedException.class)
        .hasMessageEndingWith("the publisher is closed.");
    assertThat(place.messages()).isEqualTo(500);
  }

  @Test
  void a_connection_closed_by_its_owner_ends_what_is_under_way() throws Exception {
    try (Cable cable = Cable.to(place.server.port());
        Connection connection = Contrail.connect(cable.url());
        ContrailPublisher publisher = Contrail.publisher(connection).start()) {
      cable.loseAnswers();
      CompletableFuture<Published> result = publisher.publishAsync(place.subject(), "k", BODY);
      await().atMost(Workplace.SOON).until(() -> place.messages() == 1);

      connection.close();

      assertThatThrownBy(() -> result.get(30, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(MaybePublishedException.class);
    }
  }

  @Test
  void without_time_for_retries_a_message_is_published_all_the_same() {
    try (ContrailPublisher publisher =
        Contrail.publisher(place.connection).retryFor(Duration.ZERO).start()) {
      assertThat(publisher.publish(place.subject(), "k", BODY).sequence()).isEqualTo(1);
    }
  }

  /** It would wait for ever for the thread that it keeps. */
  @Test
  void what_runs_on_a_result_cannot_wait_for_another() throws Exception {
    try (ContrailPublisher publisher =
        Contrail.publisher(place.connection).retryFor(Duration.ofSeconds(1)).start()) {
      // Stopped, the server answers when the callback is there: else it would run on this thread.
      place.server.freeze();
      CompletableFuture<Published> result =
          publisher
              .publishAsync(place.subject(), "k0", BODY)
              .thenApply(before -> publisher.publish(place.subject(), "k1", BODY));
      place.server.thaw();
      assertThatThrownBy(() -> result.get(5, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("use publishAsync");
    }
  }

  @Test
  void a_closed_connection_is_said_so_at_once() throws Exception {
    try (Connection connection = Contrail.connect(place.server.url());
        ContrailPublisher publisher =
            Contrail.publisher(connection).retryFor(Duration.ofSeconds(8)).start()) {
      connection.close();
      CompletableFuture<Published> result = publisher.publishAsync(place.subject(), "k", BODY);
      assertThatThrownBy(() -> result.get(5, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(NotPublishedException.class)
          .hasMessageEndingWith("the connection was closed.");
    }
  }

  /** The server says so of that very message, so nobody has to wonder. */
  @Test
  void a_subject_that_this_user_may_not_publish_to_is_refused_at_once() throws Exception {
    String users =
        """
        accounts { A { jetstream: enabled, users: [
          { user: admin, password: secret }
          { user: shop, password: secret, permissions: { publish: { deny: "%s" } } }
        ] } }
        """;
    try (NatsServer server =
            NatsServer.builder().binary(binary).config(users.formatted("secret.>")).start();
        Connection connection =
            Contrail.connect(Contrail.options(server.url()).userInfo("shop", "secret").build());
        ContrailPublisher publisher =
            Contrail.publisher(connection).retryFor(Duration.ofSeconds(8)).start()) {
      assertThatThrownBy(() -> publisher.publish("secret.Orders", "k", BODY))
          .isInstanceOf(NotPublishedException.class)
          .hasMessageContaining("this user may not publish to it");
    }
  }
}
