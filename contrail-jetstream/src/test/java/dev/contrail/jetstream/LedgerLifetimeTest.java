package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.contrail.ledger.LedgerEntry;
import dev.contrail.ledger.LedgerScope;
import dev.contrail.ledger.log.LedgerTimes;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.JetStreamOptions;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.PurgeOptions;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.RetentionPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a ledger keeps, and what it does not keep for ever. */
@OnEveryServer
class LedgerLifetimeTest {
  private static final Duration DAYS = Duration.ofDays(30);

  /** A ledger that tidies up all the time. */
  private static final LedgerTimes TIDY =
      new LedgerTimes(
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(10),
          Duration.ofMillis(100));

  private static final int BLOCK = 65_536;

  private record Entry(long sequence, long publishedMillis) implements LedgerEntry {}

  private final NatsServerBinary binary;
  private final List<JetStreamLedger> ledgers = new ArrayList<>();
  private Workplace workplace;

  LedgerLifetimeTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    workplace = Workplace.on(Servers.shared(binary), RetentionPolicy.Limits);
    workplace.provision();
  }

  @AfterEach
  void close() {
    ledgers.forEach(JetStreamLedger::close);
    workplace.close();
  }

  @Test
  void a_block_goes_when_the_stream_holds_nothing_of_it_any_more_and_the_horizon_has_passed()
      throws Exception {
    LedgerScope scope = scope(workplace.incarnation());
    workplace.publish(BLOCK, "");
    ackAll();
    JetStreamLedger ledger = open(scope, Duration.ZERO);
    record(ledger, 1, BLOCK);

    // All are acked, and servers forget acks.
    retire(ledger);
    assertThat(subjects(scope)).contains("0", "1");

    // The last of the block stays, and the block with it.
    workplace.management.purgeStream(
        workplace.stream, PurgeOptions.builder().sequence(BLOCK - 1).build());
    retire(ledger);
    assertThat(subjects(scope)).contains("0", "1");

    workplace.management.purgeStream(
        workplace.stream, PurgeOptions.builder().sequence(BLOCK).build());
    await().atMost(Workplace.SOON).until(() -> subjects(scope).equals(Set.of("1")));
  }

  @Test
  void a_block_stays_until_the_horizon_has_passed() throws Exception {
    LedgerScope scope = scope(workplace.incarnation());
    record(open(scope, DAYS), 1);
    LedgerScope past = scope("past");
    record(open(past, DAYS), 1);
    JetStreamLedger present = open(scope, DAYS);

    retire(present);

    assertThat(subjects(scope)).containsExactly("0");
    assertThat(subjects(past)).containsExactly("0");
  }

  @Test
  void the_ledger_of_a_stream_that_is_gone_goes_after_the_horizon_and_generations_stay()
      throws Exception {
    LedgerScope present = scope(workplace.incarnation());
    LedgerScope generation = present.ofGeneration(2);
    LedgerScope past = scope("past");
    workplace.publish("ok");
    for (LedgerScope scope : List.of(present, generation, past)) {
      record(open(scope, DAYS), 1);
    }

    open(present, Duration.ZERO);

    await().atMost(Workplace.SOON).until(() -> subjects(past).isEmpty());
    assertThat(subjects(present)).containsExactly("0");
    assertThat(subjects(generation)).containsExactly("0");
  }

  @Test
  void a_ledger_of_another_generation_has_everything_run_again() throws Exception {
    Map<Long, Integer> runs = new ConcurrentHashMap<>();
    workplace.publish(10, "ok");
    for (int generation : new int[] {0, 0, 1, 1}) {
      try (ContrailConsumer consumer =
          workplace
              .consumer()
              .ledgerGeneration(generation)
              .handler(delivery -> runs.merge(delivery.sequence(), 1, Integer::sum))
              .start()) {
        await()
            .atMost(Workplace.SOON)
            .until(() -> workplace.consumerInfo().getAckFloor().getStreamSequence() == 10);
      }
      workplace.management.deleteConsumer(workplace.stream, "worker");
    }
    assertThat(runs.values()).as("runs of each message").hasSize(10).containsOnly(2);
  }

  @Test
  void a_generation_below_0_is_refused() {
    assertThatThrownBy(() -> workplace.consumer().ledgerGeneration(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("ledger generation -1 is not possible; 0 and above are");
  }

  private void ackAll() throws Exception {
    workplace.management.addOrUpdateConsumer(
        workplace.stream,
        ConsumerConfiguration.builder()
            .durable("worker")
            .ackPolicy(AckPolicy.All)
            .deliverPolicy(DeliverPolicy.Last)
            .build());
    workplace
        .connection
        .jetStream()
        .subscribe(null, PullSubscribeOptions.bind(workplace.stream, "worker"))
        .fetch(1, Workplace.SOON)
        .get(0)
        .ackSync(Workplace.SOON);
  }

  private LedgerScope scope(String incarnation) {
    return new LedgerScope(workplace.stream, "worker", incarnation);
  }

  private JetStreamLedger open(LedgerScope scope, Duration auditHorizon) {
    JetStreamLedger ledger =
        new JetStreamLedger(
            workplace.connection,
            new JetStreamApi(workplace.connection, JetStreamOptions.defaultOptions()),
            workplace.names,
            scope,
            TIDY,
            auditHorizon,
            alert -> {});
    ledgers.add(ledger);
    return ledger;
  }

  private static void record(JetStreamLedger ledger, long... sequences) {
    List<Entry> entries = new ArrayList<>();
    for (long sequence : sequences) {
      entries.add(new Entry(sequence, 1_700_000_000_000L + sequence));
    }
    ledger.record(entries).toCompletableFuture().join();
  }

  /** Until it has looked for what can go, from now on. */
  private static void retire(JetStreamLedger ledger) {
    ledger.retire().toCompletableFuture().join();
  }

  /** The blocks that there are records of. */
  private Set<String> subjects(LedgerScope scope) {
    String begin = workplace.names.ledgerSubjects(scope);
    return new JetStreamApi(workplace.connection, JetStreamOptions.defaultOptions())
        .subjects(workplace.names.ledgerStream(), begin + ">").join().stream()
            .map(subject -> subject.substring(begin.length()))
            .collect(Collectors.toSet());
  }
}
