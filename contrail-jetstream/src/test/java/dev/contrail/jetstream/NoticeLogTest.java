package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.contrail.RejectedMessageException;
import dev.contrail.RetryAfterException;
import dev.contrail.policy.BreakerPolicy;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever happens is logged as fields, and never what is in a message. */
@OnEveryServer
class NoticeLogTest {
  private static final String SECRET = "card-4711-secret";

  private final NatsServerBinary binary;
  private final Queue<String> noticed = new ConcurrentLinkedQueue<>();
  private Workplace workplace;
  private LogCapture logged;

  NoticeLogTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    workplace = Workplace.workqueue(Servers.shared(binary));
    logged = new LogCapture(Level.DEBUG);
  }

  @AfterEach
  void close() {
    logged.close();
    workplace.close();
  }

  @Test
  void a_death_is_one_line_that_says_which_message_died_of_what_and_where_its_evidence_is()
      throws Exception {
    try (ContrailConsumer consumer =
        consumer().handler(delivery -> reject(delivery.data())).start()) {
      publishSecret();
      workplace.awaitEmpty();
    }
    assertThat(logged.fields("dead-letter"))
        .singleElement()
        .satisfies(
            fields -> {
              assertThat(fields)
                  .containsEntry("stream", workplace.stream)
                  .containsEntry("consumer", "worker")
                  .containsEntry("sequence", 1L)
                  .containsEntry("reason", "rejected")
                  .containsEntry("exception", RejectedMessageException.class.getName());
              assertThat(fields.get("id")).hasToString(workplace.deadLetterIds().get(0).toString());
            });
    assertNothingTellsTheSecret();
  }

  @Test
  void a_hold_is_a_line_when_it_begins_and_one_when_it_ends() throws Exception {
    try (ContrailConsumer consumer =
        consumer().handler(delivery -> reject(delivery.data())).start()) {
      limitDeadLetters(1);
      publishSecret();
      await().atMost(Workplace.SOON).until(() -> !logged.fields("hold.began").isEmpty());
      limitDeadLetters(-1);
      await().atMost(Workplace.SOON).until(() -> !logged.fields("hold.ended").isEmpty());
      workplace.awaitEmpty();
    }
    assertThat(logged.fields("hold.began"))
        .singleElement()
        .satisfies(
            fields ->
                assertThat(fields)
                    .contains(
                        entry("stream", workplace.stream),
                        entry("consumer", "worker"),
                        entry("store", "dead-letters")));
    assertThat(logged.fields("hold.ended"))
        .singleElement()
        .satisfies(fields -> assertThat(fields).containsEntry("store", "dead-letters"));
    assertNothingTellsTheSecret();
  }

  @Test
  void the_breaker_is_a_line_when_it_opens_and_one_when_it_closes() throws Exception {
    AtomicBoolean down = new AtomicBoolean(true);
    try (ContrailConsumer consumer =
        consumer()
            .breaker(new BreakerPolicy(Duration.ofMillis(500), 3, Duration.ofMillis(100)))
            .handler(
                delivery -> {
                  if (down.get()) {
                    throw new IllegalStateException("down: " + text(delivery.data()));
                  }
                })
            .start()) {
      for (int i = 0; i < 10; i++) {
        publishSecret();
      }
      await().atMost(Workplace.SOON).until(() -> !logged.fields("breaker.opened").isEmpty());
      down.set(false);
      workplace.awaitEmpty();
      await().atMost(Workplace.SOON).until(() -> !logged.fields("breaker.closed").isEmpty());
    }
    assertThat(logged.fields("breaker.opened"))
        .first()
        .satisfies(
            fields ->
                assertThat(fields)
                    .contains(
                        entry("stream", workplace.stream),
                        entry("consumer", "worker"),
                        entry("exception", IllegalStateException.class.getName())));
    assertNothingTellsTheSecret();
  }

  @Test
  void a_retry_and_a_payload_that_cannot_be_read_tell_no_secret_either() throws Exception {
    try (ContrailConsumer consumer =
        Contrail.consumer(workplace.connection, workplace.stream, "worker")
            .prefix(workplace.names.prefix())
            .onNotice(notice -> noticed.add(notice.text()))
            .codec(
                (data, headers) -> {
                  if (headers.first("Bad").isPresent()) {
                    throw new IllegalArgumentException("unreadable: " + text(data));
                  }
                  return text(data);
                })
            .handler(
                delivery -> {
                  if (delivery.deliveryCount() == 1) {
                    throw new RetryAfterException(
                        Duration.ofDays(2), new IllegalStateException(delivery.payload()));
                  }
                })
            .start()) {
      publishSecret();
      workplace
          .connection
          .jetStream()
          .publish(
              NatsMessage.builder()
                  .subject(workplace.subject())
                  .headers(new Headers().add("Bad", SECRET))
                  .data(SECRET)
                  .build());
      await().atMost(Workplace.SOON).until(() -> logged.fields("retrying").size() >= 2);
    }
    assertNothingTellsTheSecret();
  }

  private void assertNothingTellsTheSecret() {
    assertThat(logged.everything()).isNotEmpty().noneMatch(line -> line.contains(SECRET));
    assertThat(noticed).isNotEmpty().noneMatch(line -> line.contains(SECRET));
  }

  private ConsumerBuilder<byte[]> consumer() {
    return workplace.consumer().onNotice(notice -> noticed.add(notice.text()));
  }

  private void publishSecret() throws Exception {
    workplace
        .connection
        .jetStream()
        .publish(
            NatsMessage.builder()
                .subject(workplace.subject())
                .headers(new Headers().add("Card", SECRET))
                .data(SECRET)
                .build());
  }

  private static void reject(byte[] data) {
    throw new RejectedMessageException("not this one: " + text(data));
  }

  private static String text(byte[] data) {
    return new String(data, StandardCharsets.UTF_8);
  }

  private void limitDeadLetters(long bytes) throws Exception {
    String name = workplace.names.deadLetterStream();
    StreamConfiguration now = workplace.management.getStreamInfo(name).getConfiguration();
    workplace.management.updateStream(
        StreamConfiguration.builder(now).discardPolicy(DiscardPolicy.New).maxBytes(bytes).build());
  }
}
