package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.engine.WorkerCounts;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.api.RetentionPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that is killed forgets acks that it had confirmed. */
@Tag("slow")
@OnEveryServer
class LostAcksTest {
  private static final int MESSAGES = 200;
  private static final int REDELIVERED = 50;
  private static final int MOST_KILLS = 10;

  private final NatsServerBinary binary;
  private final WitnessedLedger ledger = new WitnessedLedger();

  LostAcksTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @Test
  void what_it_delivers_again_is_acked_and_not_run() throws Exception {
    try (NatsServer server = NatsServer.builder().binary(binary).start();
        Workplace workplace = Workplace.on(server, RetentionPolicy.Limits);
        ContrailConsumer consumer = start(workplace)) {
      int published = 0;
      int redelivered = 0;
      for (int kill = 1; redelivered < REDELIVERED; kill++) {
        assertThat(kill).as("kills, and the server had its acks").isLessThan(MOST_KILLS);
        int before = redelivered();
        workplace.publish(MESSAGES, "work");
        published += MESSAGES;
        long all = published;
        await()
            .atMost(Workplace.SOON)
            .pollInterval(Duration.ofMillis(5))
            .until(() -> consumer.status().counts().done() >= all);
        server.kill();
        server.startAgain();
        awaitAllAcked(workplace, all);
        redelivered = redelivered() - before;
        System.out.println("kill " + kill + ": " + redelivered + " delivered again");
      }
      assertThat(ledger.runs()).hasSize(published);
      assertThat(ledger.runs().values()).as("runs of each message").containsOnly(1);
      assertThat(ledger.violations()).isEmpty();
      await("each was acked unrun, or came once more")
          .atMost(Workplace.SOON)
          .until(() -> unrun(consumer.status().counts()) >= redelivered());
    }
  }

  private ContrailConsumer start(Workplace workplace) {
    workplace.provision();
    return workplace
        .consumer()
        .ackWait(Duration.ofSeconds(5))
        .ledger(ledger.of(workplace.jetStreamLedgers(workplace.connection)))
        .handler(delivery -> ledger.run(delivery.sequence()))
        .start();
  }

  /** What came again and was known as completed, and what was run again. */
  private int redelivered() {
    return ledger.known() + ledger.runs().values().stream().mapToInt(count -> count - 1).sum();
  }

  private static long unrun(WorkerCounts counts) {
    return counts.deduplicated() + counts.lost();
  }

  private static void awaitAllAcked(Workplace workplace, long last) {
    await()
        .atMost(Duration.ofMinutes(1))
        .ignoreExceptions()
        .until(() -> workplace.consumerInfo().getAckFloor().getStreamSequence() == last);
  }
}
