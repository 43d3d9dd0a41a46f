package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.server.NatsCluster;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.PublishOptions;
import io.nats.client.api.RetentionPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A cluster whose nodes are killed forgets acks, and tells nobody. */
@Tag("slow")
@OnEveryServer
class LedgerClusterTest {
  private static final int WORKERS = 3;
  private static final int LEAST_KILLS = 2;
  private static final int MOST_KILLS = 12;

  private final NatsServerBinary binary;
  private final WitnessedLedger ledger = new WitnessedLedger();
  private final List<Connection> connections = new ArrayList<>();
  private final List<ContrailConsumer> workers = new ArrayList<>();
  private volatile boolean enough;

  LedgerClusterTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @Test
  void what_comes_back_after_a_node_was_killed_is_not_run_again() throws Exception {
    try (NatsCluster cluster = NatsCluster.builder().binary(binary).start();
        Workplace workplace = Workplace.at(cluster.node(1), "ORDERS", "orders")) {
      workplace.management.addStream(
          workplace.plainStream(RetentionPolicy.Limits).replicas(3).build());
      new Provisioning(
              workplace.connection,
              JetStreamOptions.defaultOptions(),
              InitPlan.of(workplace.names).withReplicas(3),
              Provision.CREATE)
          .ensure(EnumSet.allOf(Store.class));
      for (int number = 1; number <= WORKERS; number++) {
        start(cluster, workplace, number);
      }
      Thread load = new Thread(() -> publish(workplace), "load");
      load.start();
      int kills = 0;
      while (kills < LEAST_KILLS || (deduplicated() == 0 && kills < MOST_KILLS)) {
        awaitMore(200);
        int victim = 1 + kills % 3;
        cluster.node(victim).kill();
        awaitMore(200);
        cluster.node(victim).startAgain();
        cluster.awaitReady();
        kills++;
      }
      enough = true;
      load.join();
      long last = workplace.messages();
      await()
          .atMost(Duration.ofMinutes(2))
          .ignoreExceptions()
          .until(() -> workplace.consumerInfo().getAckFloor().getStreamSequence() == last);
      // What the cluster forgot while it was at work is at work twice, and no ledger can know.
      long again = ledger.runs().values().stream().mapToLong(count -> count - 1).sum();
      System.out.printf(
          "%d kills, %d messages, %d came again when they were completed, %d before%n",
          kills, last, deduplicated(), again);
      assertThat(ledger.violations()).as("what the ledger promises").isEmpty();
      assertThat(ledger.runs().keySet())
          .as("messages that were run")
          .containsAll(LongStream.rangeClosed(1, last).boxed().toList());
      assertThat(deduplicated()).as("messages that came again").isPositive();
    } finally {
      workers.forEach(ContrailConsumer::close);
      for (Connection connection : connections) {
        connection.close();
      }
    }
  }

  private void start(NatsCluster cluster, Workplace workplace, int number) {
    Connection connection =
        Contrail.connect(
            Contrail.options(cluster.node(number).url() + "," + cluster.urls())
                .noRandomize()
                .build());
    connections.add(connection);
    workers.add(
        Contrail.consumer(connection, workplace.stream, "worker")
            .prefix(workplace.names.prefix())
            .ackWait(Duration.ofSeconds(10))
            .ledger(ledger.of(workplace.jetStreamLedgers(connection)))
            .handler(delivery -> ledger.run(delivery.sequence()))
            .start());
  }

  /** Goes on through the loss of a node; a message that is sent twice is stored once. */
  private void publish(Workplace workplace) {
    int number = 0;
    while (!enough) {
      String id = "order-" + number;
      try {
        workplace
            .connection
            .jetStream()
            .publish(
                workplace.subject(),
                id.getBytes(StandardCharsets.UTF_8),
                PublishOptions.builder().messageId(id).build());
        number++;
      } catch (IOException | JetStreamApiException | IllegalStateException e) {
        // No leader at the moment, or no connection: the same again.
        Thread.onSpinWait();
      }
    }
  }

  private void awaitMore(int messages) {
    int before = ledger.runs().size();
    await().atMost(Duration.ofMinutes(1)).until(() -> ledger.runs().size() >= before + messages);
  }

  private long deduplicated() {
    return workers.stream().mapToLong(worker -> worker.status().counts().deduplicated()).sum();
  }
}
