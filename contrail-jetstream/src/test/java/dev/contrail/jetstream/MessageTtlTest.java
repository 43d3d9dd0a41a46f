package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.RetryAfterException;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.Reason;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that live for as long as they say themselves. */
@OnEveryServer
class MessageTtlTest {
  private final NatsServer server;
  private Workplace workplace;

  MessageTtlTest(NatsServerBinary binary) {
    server = Servers.shared(binary);
  }

  @BeforeEach
  void open() throws Exception {
    workplace =
        Workplace.at(server, "TTL" + System.nanoTime(), "ttl" + System.nanoTime() % 1_000_000);
  }

  @AfterEach
  void close() {
    workplace.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"5", "5s"})
  void one_that_would_expire_before_its_retry_dies_with_evidence(String ttl) throws Exception {
    assumeThat(workplace.connection.getServerInfo().isSameOrNewerThanVersion("2.11.0"))
        .as("the server knows times to live")
        .isTrue();
    workplace.management.addStream(
        workplace.plainStream(RetentionPolicy.WorkQueue).allowMessageTtl().build());
    publish(ttl);
    try (ContrailConsumer consumer = failing(Duration.ofMinutes(1)).start()) {
      DeadLetter letter = workplace.awaitDeadLetter();
      assertThat(letter.death().reason()).isEqualTo(Reason.EXPIRING);
    }
  }

  @Test
  void a_stream_that_does_not_heed_the_header_keeps_the_message_for_its_retry() throws Exception {
    assumeThat(workplace.connection.getServerInfo().isSameOrNewerThanVersion("2.11.0"))
        .as("servers that know the header refuse it where it is not allowed")
        .isFalse();
    workplace.management.addStream(workplace.plainStream(RetentionPolicy.WorkQueue).build());
    publish("1");
    try (ContrailConsumer consumer = failing(Duration.ofMinutes(1)).start()) {
      await().atMost(Workplace.SOON).until(() -> consumer.status().counts().retried() == 1);
      assertThat(workplace.deadLetterCount()).isZero();
    }
  }

  private ConsumerBuilder<byte[]> failing(Duration retryAfter) {
    return workplace
        .consumer()
        .handler(
            delivery -> {
              throw new RetryAfterException(retryAfter);
            });
  }

  private void publish(String ttl) throws Exception {
    workplace
        .connection
        .jetStream()
        .publish(
            NatsMessage.builder()
                .subject(workplace.subject())
                .headers(new Headers().add("Nats-TTL", ttl))
                .data("work".getBytes(StandardCharsets.UTF_8))
                .build());
  }
}
