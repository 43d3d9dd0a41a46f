package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.server.NatsCluster;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A cluster whose nodes are killed forgets acks, and tells nobody. */
@Tag("slow")
@OnEveryServer
class LedgerClusterTest {
  private static final int WORKERS = 3;
  private static final int MOST_KILLS = 8;
  private static final int BURST = 3_000;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final NatsServerBinary binary;
  private final WitnessedLedger ledger = new WitnessedLedger();
  private final List<Connection> connections = new ArrayList<>();
  private final List<ContrailConsumer> workers = new ArrayList<>();
  private NatsCluster cluster;
  private Workplace workplace;

  LedgerClusterTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    cluster = NatsCluster.builder().binary(binary).start();
    workplace = Workplace.at(cluster.node(1), "ORDERS", "orders");
    workplace.management.addStream(
        workplace.plainStream(RetentionPolicy.Limits).replicas(3).build());
    new Provisioning(
            workplace.connection,
            Workplace.PATIENT,
            InitPlan.of(workplace.names).withReplicas(3),
            Provision.CREATE)
        .ensure(EnumSet.allOf(Store.class));
  }

  @AfterEach
  void close() throws Exception {
    workers.forEach(ContrailConsumer::close);
    for (Connection connection : connections) {
      connection.close();
    }
    workplace.close();
    cluster.close();
  }

  @Test
  void what_comes_back_after_the_leader_was_killed_is_not_run_again() throws Exception {
    start();
    killUntil(WitnessedLedger::known, false);
  }

  /** The consumer, on a node alone, forgets both acks and deliveries; the streams are on three. */
  @Test
  void nor_is_what_comes_back_as_if_it_had_never_been_delivered() throws Exception {
    workplace.management.addOrUpdateConsumer(
        workplace.stream,
        ConsumerConfiguration.builder()
            .durable("worker")
            .ackPolicy(AckPolicy.Explicit)
            .ackWait(Duration.ofSeconds(10))
            .maxAckPending(20_000)
            .numReplicas(1)
            .build());
    start();
    killUntil(WitnessedLedger::knownOnFirstDelivery, true);
  }

  /**
   * Kills whoever leads the consumer until messages were seen to come back.
   *
   * @param atOnce whether it is started again before anything else can happen
   */
  private void killUntil(ToIntFunction<WitnessedLedger> seen, boolean atOnce) throws Exception {
    int kills = 0;
    while (seen.applyAsInt(ledger) == 0 && kills < MOST_KILLS) {
      killAtFullSpeed(atOnce);
      kills++;
    }
    long last = workplace.messages();
    // What the cluster forgot while it was at work is at work twice, and no ledger can know.
    long again = ledger.runs().values().stream().mapToLong(count -> count - 1).sum();
    System.out.printf(
        "%d kills, %d messages; %d came again when they were completed, %d of them as if for the"
            + " first time; %d before%n",
        kills, last, ledger.known(), ledger.knownOnFirstDelivery(), again);
    assertThat(seen.applyAsInt(ledger)).as("messages that came again").isPositive();
    assertThat(ledger.violations()).as("what the ledger promises").isEmpty();
    assertThat(ledger.runs().keySet())
        .as("messages that were run")
        .containsAll(LongStream.rangeClosed(1, last).boxed().toList());
  }

  /** So that it has done much that is not stored yet, nor known to those who follow it. */
  private void killAtFullSpeed(boolean atOnce) throws Exception {
    cluster.awaitReady();
    workers.forEach(ContrailConsumer::pause);
    workplace.publish(BURST, "work");
    long all = workplace.messages();
    NatsServer leader = cluster.node(workplace.consumerInfo().getClusterInfo().getLeader());
    int before = ledger.runs().size();
    workers.forEach(ContrailConsumer::resume);
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> ledger.runs().size() >= before + BURST / 2);
    leader.kill();
    if (atOnce) {
      leader.startAgain();
    }
    await()
        .atMost(LIMIT)
        .ignoreExceptions()
        .until(() -> workplace.consumerInfo().getAckFloor().getStreamSequence() == all);
    if (!atOnce) {
      leader.startAgain();
    }
  }

  private void start() {
    for (int number = 1; number <= WORKERS; number++) {
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
  }
}
