package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.StreamConfiguration;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where nobody listens to a subject, and the server is asked whether a stream takes it. */
class NobodyTakesItTest {
  private static final String SUBJECT = "orders.new";
  private static final String NONE = "{\"total\":0,\"offset\":0,\"limit\":1024,\"streams\":[]}";
  private static final String ORDERS =
      "{\"total\":1,\"offset\":0,\"limit\":1024,\"streams\":[\"ORDERS\"]}";
  private static final String ERROR = "{\"error\":{\"code\":503,\"err_code\":10008}}";
  private static final String ACK = "{\"stream\":\"ORDERS\",\"seq\":7}";

  private final BlockingQueue<Message> questions = new LinkedBlockingQueue<>();
  private final AtomicInteger sent = new AtomicInteger();
  private NatsServer server;
  private Connection connection;
  private Connection others;

  @BeforeEach
  void open() throws Exception {
    server = NatsServer.start();
    connection = Contrail.connect(server.url());
    others = Contrail.connect(server.url());
    others.createDispatcher(questions::add).subscribe("slow.STREAM.NAMES");
    others.flush(Workplace.SOON);
  }

  @AfterEach
  void close() throws Exception {
    others.close();
    connection.close();
    server.close();
  }

  private ContrailPublisher publisher() {
    return Contrail.publisher(connection)
        .jetStream(JetStreamOptions.builder().prefix("slow").build())
        .start();
  }

  @Test
  void nothing_is_sent_while_it_is_asked_so_that_none_means_not_published() throws Exception {
    try (ContrailPublisher publisher = publisher()) {
      CompletableFuture<Published> result = publisher.publishAsync(SUBJECT, "k", new byte[0]);
      Message question = question();
      listen("");
      longerThanAnyBackoffSoFar();
      answer(question, NONE);
      answerAllFromNowOn(NONE);

      assertThatThrownBy(() -> result.get(30, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOf(NotPublishedException.class)
          .hasMessageContaining("no stream takes it; “nats stream add” makes one that does.");
      assertThat(sent).hasValue(0);
    }
  }

  @Test
  void it_is_sent_again_once_a_stream_is_found() throws Exception {
    try (ContrailPublisher publisher = publisher()) {
      CompletableFuture<Published> result = publisher.publishAsync(SUBJECT, "k", new byte[0]);
      Message question = question();
      listen(ACK);
      answer(question, ORDERS);

      assertThat(result.get(30, TimeUnit.SECONDS).attempts()).isEqualTo(2);
    }
  }

  @Test
  void it_is_sent_again_where_nobody_can_tell() throws Exception {
    try (ContrailPublisher publisher = publisher()) {
      CompletableFuture<Published> result = publisher.publishAsync(SUBJECT, "k", new byte[0]);
      Message question = question();
      listen(ACK);
      answer(question, ERROR);

      assertThat(result.get(30, TimeUnit.SECONDS).attempts()).isEqualTo(2);
    }
  }

  /** So does a server of a cluster that has just begun, while its streams are there. */
  @Test
  void that_there_is_none_counts_only_when_it_is_said_again() throws Exception {
    try (ContrailPublisher publisher = publisher()) {
      CompletableFuture<Published> result = publisher.publishAsync(SUBJECT, "k", new byte[0]);
      Message question = question();
      listen(ACK);
      answer(question, NONE);
      answer(question(), NONE);
      answer(question(), ORDERS);

      assertThat(result.get(30, TimeUnit.SECONDS).attempts()).isEqualTo(2);
    }
  }

  @Test
  void nor_is_a_message_rerouted_before_it_is_said_again() throws Exception {
    connection
        .jetStreamManagement()
        .addStream(StreamConfiguration.builder().name("ORDERS").subjects("orders.>").build());
    connection
        .jetStreamManagement()
        .addOrUpdateConsumer("ORDERS", ConsumerConfiguration.builder().durable("worker").build());
    connection
        .jetStreamManagement()
        .addStream(StreamConfiguration.builder().name("REST").subjects("rest").build());
    AtomicInteger asked = new AtomicInteger();
    others
        .createDispatcher(
            message -> {
              boolean early =
                  message.getSubject().endsWith("STREAM.NAMES")
                      && new String(message.getData(), StandardCharsets.UTF_8).contains(SUBJECT)
                      && asked.incrementAndGet() < 3;
              if (early) {
                answer(message, NONE);
              } else {
                others.publish(
                    message.getSubject().replace("young.", "$JS.API."),
                    message.getReplyTo(),
                    message.getData());
              }
            })
        .subscribe("young.>");
    others.flush(Workplace.SOON);
    try (ContrailPublisher publisher =
        Contrail.publisher(connection)
            .jetStream(JetStreamOptions.builder().prefix("young").build())
            .fallback("rest")
            .start()) {
      assertThat(publisher.publish(SUBJECT, "k", new byte[0]).reroutedFrom()).isEmpty();
    }
  }

  private void answerAllFromNowOn(String json) {
    others.createDispatcher(message -> answer(message, json)).subscribe("slow.STREAM.NAMES");
  }

  private Message question() throws InterruptedException {
    Message question = questions.poll(30, TimeUnit.SECONDS);
    assertThat(question).as("the question who takes it").isNotNull();
    return question;
  }

  private void answer(Message question, String json) {
    others.publish(question.getReplyTo(), Wire.bytes(json));
  }

  /** From now on somebody is there, and answers so, if at all. */
  private void listen(String ack) throws Exception {
    others
        .createDispatcher(
            message -> {
              sent.incrementAndGet();
              if (!ack.isEmpty()) {
                others.publish(message.getReplyTo(), Wire.bytes(ack));
              }
            })
        .subscribe(SUBJECT);
    others.flush(Workplace.SOON);
  }

  private static void longerThanAnyBackoffSoFar() {
    long begun = System.nanoTime();
    await().until(() -> System.nanoTime() - begun > Duration.ofMillis(500).toNanos());
  }
}
