package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerScope;
import dev.contrail.server.NatsCluster;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The log is made shorter while others write to it and look things up. */
@Tag("slow")
@OnEveryServer
class LedgerCompactionTest {
  private static final LedgerScope SCOPE = new LedgerScope("ORDERS", "billing", "i1");

  /** At most: they go on until enough was purged, of three blocks at least. */
  private static final int MESSAGES = 2_000_000;

  private static final int BATCH = 100;
  private static final int WRITERS = 2;
  private static final int LEAST_PURGES = 6;

  /** Counts the purges. */
  private static final class Api extends JetStreamApi {
    private final AtomicInteger purges = new AtomicInteger();

    Api(Connection connection) {
      super(connection, JetStreamOptions.defaultOptions());
    }

    @Override
    CompletableFuture<Void> purge(String stream, String subject, long sequence) {
      return super.purge(stream, subject, sequence).thenRun(purges::incrementAndGet);
    }
  }

  private final NatsServerBinary binary;
  private final WitnessedLedger witness = new WitnessedLedger();
  private final List<Connection> connections = new ArrayList<>();
  private final List<CompletionLedger> ledgers = new ArrayList<>();
  private final List<Api> apis = new ArrayList<>();

  LedgerCompactionTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @AfterEach
  void close() throws Exception {
    ledgers.forEach(CompletionLedger::close);
    for (Connection connection : connections) {
      connection.close();
    }
  }

  @Test
  void two_writers_who_compact_lose_no_completion_on_one_server() throws Exception {
    try (NatsServer server = NatsServer.builder().binary(binary).start()) {
      HastyLedger.provision(connect(server.url()), 1);
      race(server.url(), server.url());
    }
  }

  @Test
  void two_writers_who_compact_lose_no_completion_on_three_servers() throws Exception {
    try (NatsCluster cluster = NatsCluster.builder().binary(binary).start()) {
      HastyLedger.provision(connect(cluster.urls()), 3);
      race(cluster.node(1).url(), cluster.node(2).url());
    }
  }

  private void race(String first, String second) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<Integer>> writers = new ArrayList<>();
      AtomicInteger next = new AtomicInteger();
      for (String url : List.of(first, second)) {
        CompletionLedger ledger = open(url);
        writers.add(threads.submit(() -> write(ledger, next)));
      }
      int recorded = 0;
      for (Future<Integer> writer : writers) {
        recorded += writer.get();
      }
      System.out.println(recorded + " batches recorded, " + purges() + " purges meanwhile");
      assertThat(purges()).as("purges meanwhile").isGreaterThanOrEqualTo(LEAST_PURGES);
      assertThat(witness.violations()).isEmpty();
      await("records are purged").atMost(HastyLedger.LIMIT).until(() -> stored() < 20);
      assertAllRecorded(first, recorded);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Goes on until enough was purged under it; how many batches this one wrote. */
  private int write(CompletionLedger ledger, AtomicInteger next) {
    Random random = new Random(1);
    int written = 0;
    while (next.get() < MESSAGES / BATCH && (next.get() < 600 || purges() < LEAST_PURGES)) {
      int number = next.getAndIncrement();
      HastyLedger.record(ledger, batch(number));
      written++;
      // Of the other writer's too: what was confirmed to it is known here.
      HastyLedger.completed(ledger, batch(random.nextInt(number + 1)));
    }
    return written;
  }

  private void assertAllRecorded(String url, int batches) throws Exception {
    CompletionLedger reader = open(url);
    assertThat(HastyLedger.completed(reader, batches(batches)))
        .as("completions that somebody sees who comes later")
        .isEqualTo(batches * BATCH);
    assertThat(HastyLedger.completed(reader, batch(MESSAGES))).as("completions of others").isZero();
  }

  private CompletionLedger open(String url) {
    Connection connection = connect(url);
    Api api = new Api(connection);
    apis.add(api);
    CompletionLedger ledger =
        witness.of(scope -> HastyLedger.open(connection, api, scope)).open(SCOPE);
    ledgers.add(ledger);
    return ledger;
  }

  /** Every third of a block of messages, so that neighbours come in different records. */
  private static List<HastyLedger.Entry> batch(long number) {
    return LongStream.range(0, BATCH)
        .mapToObj(i -> HastyLedger.Entry.of(1 + (number % 3) + 3 * ((number / 3) * BATCH + i)))
        .toList();
  }

  private static List<HastyLedger.Entry> batches(int count) {
    return LongStream.range(0, count).boxed().flatMap(n -> batch(n).stream()).toList();
  }

  private int purges() {
    return apis.stream().mapToInt(api -> api.purges.get()).sum();
  }

  private long stored() throws Exception {
    return connections
        .get(0)
        .jetStreamManagement()
        .getStreamInfo(Names.DEFAULT.ledgerStream())
        .getStreamState()
        .getMsgCount();
  }

  private Connection connect(String url) {
    Connection connection = Contrail.connect(url);
    connections.add(connection);
    return connection;
  }
}
