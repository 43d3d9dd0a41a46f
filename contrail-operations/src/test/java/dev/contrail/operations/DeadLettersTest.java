package dev.contrail.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.RejectedMessageException;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Names;
import dev.contrail.policy.Backoff;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.replay.Scene#servers")
class DeadLettersTest {
  private static final String LARGE = "reject " + "x".repeat(1_048_000);

  private final NatsServerBinary binary;
  private NatsServer server;
  private Connection connection;
  private DeadLetters deadLetters;

  DeadLettersTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() {
    server = NatsServer.builder().binary(binary).start();
    connection = Contrail.connect(server.url());
    deadLetters = new DeadLetters(connection, JetStreamOptions.defaultOptions(), Names.DEFAULT);
  }

  @AfterEach
  void close() throws InterruptedException {
    connection.close();
    server.close();
  }

  @Test
  void lists_the_newest_first_and_those_of_a_consumer() throws Exception {
    die("ORDERS", "poison", "reject a", "reject b");
    die("JOBS", "reject c");

    assertThat(deadLetters.list(Optional.empty(), Optional.empty()).entries())
        .hasSize(4)
        .isSortedAccordingTo((a, b) -> b.deadAt().compareTo(a.deadAt()));
    assertThat(list("ORDERS", "worker"))
        .extracting(summary -> summary.id().sequence())
        .containsExactlyInAnyOrder(1L, 2L, 3L);
    assertThat(list("JOBS", "worker"))
        .singleElement()
        .satisfies(
            summary -> {
              assertThat(summary.subject()).isEqualTo("JOBS.work");
              assertThat(summary.exceptionMessage()).isEqualTo("told to");
              assertThat(summary.payloadBytes()).isEqualTo("reject c".length());
            });
    assertThat(list("OTHER", "worker")).isEmpty();
    assertThat(list("ORDERS", "other")).isEmpty();
  }

  @Test
  void finds_one_whole_also_when_it_is_in_parts() throws Exception {
    die("ORDERS", LARGE);
    DeadLetterId id = deadLetters.list(Optional.empty(), Optional.empty()).entries().get(0).id();

    DeadLetter letter = deadLetters.find(id).orElseThrow();

    assertThat(letter.message().payload()).isEqualTo(LARGE.getBytes(StandardCharsets.UTF_8));
    assertThat(deadLetters.find(new DeadLetterId("ORDERS", "worker", id.incarnation(), 99)))
        .isEmpty();
  }

  @Test
  void an_entry_that_cannot_be_read_hides_no_other() throws Exception {
    die("ORDERS", "reject a");
    connection.jetStream().publish("contrail.dlq.ORDERS.worker.abc.7", new byte[0]);

    DeadLetterListing listing = deadLetters.list(Optional.empty(), Optional.empty());

    assertThat(listing.entries()).hasSize(1);
    assertThat(listing.unreadable()).singleElement().asString().contains("ORDERS.worker.abc.7");
  }

  @Test
  void a_server_where_no_worker_ever_ran_is_told_in_one_sentence() {
    assertThatThrownBy(() -> deadLetters.list(Optional.empty(), Optional.empty()))
        .isInstanceOf(ContrailException.class)
        .hasMessageContaining("CONTRAIL_DLQ")
        .hasMessageContaining("contrail init");
  }

  private List<DeadLetterSummary> list(String stream, String consumer) throws InterruptedException {
    return deadLetters.list(Optional.of(stream), Optional.of(consumer)).entries();
  }

  private void die(String stream, String... payloads) throws Exception {
    connection
        .jetStreamManagement()
        .addStream(
            StreamConfiguration.builder()
                .name(stream)
                .subjects(stream + ".>")
                .retentionPolicy(RetentionPolicy.WorkQueue)
                .build());
    CountDownLatch deaths = new CountDownLatch(payloads.length);
    try (ContrailConsumer consumer =
        Contrail.consumer(connection, stream, "worker")
            .deliveryLimit(2)
            .backoff(new Backoff(Duration.ofMillis(10), 1, Duration.ofMillis(10)))
            .onNotice(notice -> countDeath(notice.kind().name(), deaths))
            .handler(
                delivery -> {
                  if (delivery.data()[0] == 'r') {
                    throw new RejectedMessageException("told to");
                  }
                  throw new IllegalStateException("poison");
                })
            .start()) {
      for (String payload : payloads) {
        connection.jetStream().publish(stream + ".work", payload.getBytes(StandardCharsets.UTF_8));
      }
      assertThat(deaths.await(30, TimeUnit.SECONDS)).as("all died in time").isTrue();
    }
  }

  private static void countDeath(String kind, CountDownLatch deaths) {
    if (kind.equals("DEAD")) {
      deaths.countDown();
    }
  }
}
