package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.api.RetentionPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that is killed forgets acks that it had confirmed. */
@Tag("slow")
@OnEveryServer
class LostAcksTest {
  private static final int MESSAGES = 200;
  private static final int REDELIVERED = 50;
  private static final int ATTEMPTS = 10;

  private final NatsServerBinary binary;

  LostAcksTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @Test
  void what_it_delivers_again_is_acked_and_not_run() throws Exception {
    Map<Long, Integer> runs = new ConcurrentHashMap<>();
    try (NatsServer server = NatsServer.builder().binary(binary).start();
        Workplace workplace = Workplace.on(server, RetentionPolicy.Limits);
        ContrailConsumer consumer =
            workplace
                .consumer()
                .ackWait(Duration.ofSeconds(5))
                .handler(delivery -> runs.merge(delivery.sequence(), 1, Integer::sum))
                .start()) {
      int published = 0;
      for (int attempt = 1; redelivered(consumer, runs) < REDELIVERED; attempt++) {
        assertThat(attempt).as("attempts to see a server lose its acks").isLessThan(ATTEMPTS);
        workplace.publish(MESSAGES, "work");
        published += MESSAGES;
        long expected = published;
        await()
            .atMost(Workplace.SOON)
            .pollInterval(Duration.ofMillis(5))
            .until(() -> consumer.status().counts().done() >= expected);
        server.kill();
        server.startAgain();
        awaitAllAcked(workplace, expected);
      }
      assertThat(runs).hasSize(published);
      assertThat(runs.values()).as("runs of each message").allMatch(count -> count == 1);
      assertThat(consumer.status().counts().deduplicated()).isGreaterThanOrEqualTo(REDELIVERED);
    }
  }

  private static long redelivered(ContrailConsumer consumer, Map<Long, Integer> runs) {
    long again = runs.values().stream().mapToLong(count -> count - 1).sum();
    return consumer.status().counts().deduplicated() + again;
  }

  private static void awaitAllAcked(Workplace workplace, long last) {
    await()
        .atMost(Duration.ofMinutes(1))
        .ignoreExceptions()
        .until(() -> workplace.consumerInfo().getAckFloor().getStreamSequence() == last);
  }
}
