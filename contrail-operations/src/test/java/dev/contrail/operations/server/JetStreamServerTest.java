package dev.contrail.operations.server;

import static dev.contrail.operations.TestServer.OPTIONS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.operations.TestServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.RetentionPolicy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.TestServer#binaries")
class JetStreamServerTest {
  private static final Duration SHORT = Duration.ofSeconds(1);

  private final NatsServerBinary binary;
  private TestServer place;

  JetStreamServerTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    place = TestServer.start(binary);
    place.addStream("ORDERS", RetentionPolicy.Limits);
  }

  @AfterEach
  void close() {
    place.close();
  }

  private void durables(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      place.management.addOrUpdateConsumer(
          "ORDERS", ConsumerConfiguration.builder().durable("c" + i).build());
    }
  }

  @Test
  void all_consumers_are_listed_however_many_answers_that_takes() throws Exception {
    JetStreamServer server = new JetStreamServer(place.connection, OPTIONS);
    assertThat(server.consumers("ORDERS")).isEmpty();
    assertThat(server.consumers("NONE")).isEmpty();
    durables(300);
    assertThat(server.consumers("ORDERS"))
        .extracting(ConsumerInfo::getName)
        .hasSize(300)
        .doesNotHaveDuplicates();
  }

  /** A consumer that is gone moves those behind it up, over the end of the first answer. */
  @Test
  void whoever_goes_while_consumers_are_listed_hides_no_other() throws Exception {
    durables(300);
    AtomicInteger answers = new AtomicInteger();
    JetStreamServer server =
        between(
            "CONSUMER.LIST.ORDERS",
            answer -> {
              if (answers.getAndIncrement() == 0) {
                place.management.deleteConsumer("ORDERS", "c0");
                place.management.deleteConsumer("ORDERS", "c1");
              }
              return answer;
            });

    assertThat(server.consumers("ORDERS"))
        .extracting(ConsumerInfo::getName)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(2, 300).mapToObj(i -> "c" + i).toList());
  }

  /** A cluster answers so while the server that has a consumer does not. */
  @Test
  void a_list_that_leaves_consumers_out_is_no_answer() throws Exception {
    durables(1);
    JetStreamServer server =
        between(
            "CONSUMER.LIST.ORDERS",
            answer -> answer.replaceFirst("\\{", "{\"missing\":[\"billing\",\"audit\"],"));

    assertThatThrownBy(() -> server.consumers("ORDERS"))
        .isInstanceOf(ContrailException.class)
        .hasMessage(
            "The NATS server does not know at the moment how the consumers audit, billing of ORDERS"
                + " are doing; the server that has them does not answer.");
    assertThat(server.answeringConsumers("ORDERS")).hasSize(1);
  }

  @Test
  void all_streams_are_listed_and_those_that_are_left_out_are_named() throws Exception {
    for (int i = 0; i < 300; i++) {
      place.addStream("S" + i, RetentionPolicy.Limits);
    }
    try (LeavingOut cluster = new LeavingOut(place.connection, "STREAM.LIST", "ARCHIVE")) {
      JetStreamServer.Streams list =
          new JetStreamServer(place.connection, LeavingOut.OPTIONS).listedStreams();
      assertThat(list.known())
          .extracting(it -> it.getConfiguration().getName())
          .hasSize(301)
          .doesNotHaveDuplicates();
      assertThat(list.missing()).containsExactly("ARCHIVE");
    }
    assertThat(new JetStreamServer(place.connection, OPTIONS).listedStreams().missing()).isEmpty();
  }

  @Test
  void a_list_that_leaves_streams_out_is_no_answer() throws Exception {
    JetStreamServer server =
        between("STREAM.LIST", answer -> answer.replaceFirst("\\{", "{\"missing\":[\"ARCHIVE\"],"));

    assertThatThrownBy(server::streams)
        .isInstanceOf(ContrailException.class)
        .hasMessage(
            "The NATS server knows nothing at the moment of the streams ARCHIVE, which may copy"
                + " from others; the server that has them does not answer.");
    assertThat(server.answeringStreams())
        .extracting(it -> it.getConfiguration().getName())
        .contains("ORDERS");
  }

  /** While a server is away a cluster takes that long, however little a client waits for others. */
  @Test
  void lists_are_waited_for_longer_than_other_answers() throws Exception {
    Duration twice = SHORT.multipliedBy(2);
    JetStreamServer server =
        between(
            "STREAM.LIST",
            answer ->
                CompletableFuture.supplyAsync(
                        () -> answer,
                        CompletableFuture.delayedExecutor(twice.toMillis(), MILLISECONDS))
                    .join());

    assertThat(server.streams()).isNotEmpty();
  }

  /** So a cluster answered once in thirty faults, and a replay was told that it had failed. */
  @Test
  void that_no_stream_takes_a_subject_counts_only_when_it_is_said_again() throws Exception {
    AtomicInteger answers = new AtomicInteger();
    JetStreamServer server =
        between(
            "STREAM.NAMES",
            answer ->
                answers.getAndIncrement() < 2
                    ? "{\"type\":\"io.nats.jetstream.api.v1.stream_names_response\",\"total\":0,"
                        + "\"offset\":0,\"limit\":1024,\"streams\":null}"
                    : answer);

    assertThat(server.streamTaking("ORDERS.new")).contains("ORDERS");
    assertThat(server.streamTaking("nobody.wants")).isEmpty();
  }

  private interface Change {
    String of(String answer) throws Exception;
  }

  /** A server whose answers to a request are changed on their way. */
  private JetStreamServer between(String request, Change change) throws Exception {
    Connection connection = place.connection;
    Dispatcher changing =
        connection.createDispatcher(
            asked -> {
              byte[] answer =
                  connection.request("$JS.API." + request, asked.getData()).join().getData();
              try {
                connection.publish(
                    asked.getReplyTo(), change.of(new String(answer, UTF_8)).getBytes(UTF_8));
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    changing.subscribe("elsewhere.API." + request);
    connection.flush(Duration.ofSeconds(5));
    return new JetStreamServer(
        connection,
        JetStreamOptions.builder().prefix("elsewhere.API").requestTimeout(SHORT).build());
  }
}
