package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerEntry;
import dev.contrail.ledger.LedgerFactory;
import dev.contrail.ledger.LedgerScope;
import dev.contrail.ledger.log.LedgerTimes;
import dev.contrail.server.NatsCluster;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The log is made shorter while others write to it and look things up. */
@Tag("slow")
@OnEveryServer
class LedgerCompactionTest {
  private static final LedgerScope SCOPE = new LedgerScope("ORDERS", "billing", "i1");
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** Twice as many as there are messages in a block, and then some: three blocks. */
  private static final int MESSAGES = 140_000;

  private static final int BATCH = 100;
  private static final int WRITERS = 2;
  private static final int LEAST_PURGES = 6;
  private static final LedgerTimes HASTY =
      new LedgerTimes(
          Duration.ofMillis(200),
          Duration.ofMillis(400),
          Duration.ofMillis(300),
          Duration.ofHours(1));

  private record Entry(long sequence, long publishedMillis) implements LedgerEntry {
    static Entry of(long sequence) {
      return new Entry(sequence, 1_700_000_000_000L + sequence);
    }
  }

  /** Counts the purges; if it is to die, it does so instead. */
  private static final class Api extends JetStreamApi {
    private final AtomicInteger purges = new AtomicInteger();
    private final CompletableFuture<Void> died = new CompletableFuture<>();
    private final boolean diesBeforePurge;

    Api(Connection connection, boolean diesBeforePurge) {
      super(connection, JetStreamOptions.defaultOptions());
      this.diesBeforePurge = diesBeforePurge;
    }

    @Override
    CompletableFuture<Void> purge(String stream, String subject, long sequence) {
      if (diesBeforePurge) {
        died.complete(null);
        return new CompletableFuture<>();
      }
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
      provision(server.url(), 1);
      race(server.url(), server.url());
    }
  }

  @Test
  void two_writers_who_compact_lose_no_completion_on_three_servers() throws Exception {
    try (NatsCluster cluster = NatsCluster.builder().binary(binary).start()) {
      provision(cluster.urls(), 3);
      race(cluster.node(1).url(), cluster.node(2).url());
    }
  }

  @Test
  void a_compactor_killed_between_snapshot_and_purge_loses_nothing_and_is_made_up_for()
      throws Exception {
    try (NatsServer server = NatsServer.builder().binary(binary).start()) {
      provision(server.url(), 1);
      CompletionLedger killed = open(server.url(), true);
      for (long batch = 0; batch < 100; batch++) {
        record(killed, batch(batch));
      }
      apis.get(0).died.join();
      connections.get(1).close();
      assertThat(stored()).as("records that the killed one left").isGreaterThan(100);

      CompletionLedger next = open(server.url(), false);

      assertThat(completed(next, batches(100))).as("completions").isEqualTo(100 * BATCH);
      await().atMost(LIMIT).until(() -> stored() < 20);
      assertAllRecorded(server.url(), 100);
    }
  }

  private void race(String first, String second) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<Integer>> writers = new ArrayList<>();
      AtomicInteger next = new AtomicInteger();
      for (String url : List.of(first, second)) {
        CompletionLedger ledger = open(url, false);
        writers.add(threads.submit(() -> write(ledger, next)));
      }
      int recorded = 0;
      for (Future<Integer> writer : writers) {
        recorded += writer.get();
      }
      System.out.println(recorded + " batches recorded, " + purges() + " purges meanwhile");
      assertThat(purges()).as("purges meanwhile").isGreaterThanOrEqualTo(LEAST_PURGES);
      assertThat(witness.violations()).isEmpty();
      await("records are purged").atMost(LIMIT).until(() -> stored() < 20);
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
      record(ledger, batch(number));
      written++;
      // Of the other writer's too: what was confirmed to it is known here.
      completed(ledger, batch(random.nextInt(number + 1)));
    }
    return written;
  }

  private void assertAllRecorded(String url, int batches) throws Exception {
    CompletionLedger reader = open(url, false);
    assertThat(completed(reader, batches(batches)))
        .as("completions that somebody sees who comes later")
        .isEqualTo(batches * BATCH);
    assertThat(completed(reader, batch(MESSAGES))).as("completions of others").isZero();
  }

  private CompletionLedger open(String url, boolean diesBeforePurge) {
    Connection connection = connect(url);
    Api api = new Api(connection, diesBeforePurge);
    apis.add(api);
    LedgerFactory factory =
        scope ->
            new JetStreamLedger(
                connection, api, Names.DEFAULT, scope, HASTY, Duration.ofDays(1), alert -> {});
    CompletionLedger ledger = witness.of(factory).open(SCOPE);
    ledgers.add(ledger);
    return ledger;
  }

  private static void record(CompletionLedger ledger, List<Entry> batch) {
    untilAnswered(() -> ledger.record(batch));
  }

  private static int completed(CompletionLedger ledger, List<Entry> entries) {
    return untilAnswered(() -> ledger.completed(entries)).cardinality();
  }

  /** What fails is asked again, as a worker does. */
  private static <T> T untilAnswered(Supplier<CompletionStage<T>> question) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      try {
        return question.get().toCompletableFuture().join();
      } catch (CompletionException e) {
        assertThat(System.nanoTime()).as("time when the ledger said %s", e).isLessThan(end);
      }
    }
  }

  /** Every third of a block of messages, so that neighbours come in different records. */
  private static List<Entry> batch(long number) {
    return LongStream.range(0, BATCH)
        .mapToObj(i -> Entry.of(1 + (number % 3) + 3 * ((number / 3) * BATCH + i)))
        .toList();
  }

  private static List<Entry> batches(int count) {
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

  private void provision(String url, int replicas) {
    new Provisioning(
            connect(url),
            JetStreamOptions.defaultOptions(),
            InitPlan.of(Names.DEFAULT).withReplicas(replicas),
            Provision.CREATE)
        .ensure(List.of(Store.LEDGER));
  }

  private Connection connect(String url) {
    Connection connection = Contrail.connect(url);
    connections.add(connection);
    return connection;
  }
}
