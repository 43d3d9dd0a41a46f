package dev.contrail.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every {@link CompletionLedger} must do. A test of an adapter extends this and says how a
 * process with the adapter is started, and how the server behind it is ended and started.
 */
public abstract class CompletionLedgerConformance {
  private static final AtomicInteger SCOPES = new AtomicInteger();
  private static final Duration LATER = Duration.ofHours(1);
  private static final int KILLS = 12;
  private static final int WORKERS = 3;
  private static final int ROUNDS = 15;

  private final List<LedgerProcess> processes = new CopyOnWriteArrayList<>();
  private LedgerScope scope = newScope();

  /** Starts a process with the adapter; the suite kills it. */
  protected abstract LedgerProcess startProcess();

  /** Ends the server that holds the ledger. */
  protected abstract void endServer();

  /** Starts it again with what it had stored. */
  protected abstract void startServer();

  /** What the adapter can do; everything unless overridden. */
  protected Set<LedgerCapability> capabilities() {
    return EnumSet.allOf(LedgerCapability.class);
  }

  /** How long an answer may take at the very most, the server being there. */
  protected Duration patience() {
    return Duration.ofSeconds(30);
  }

  /** The tests may share a server, and an instance of this class. */
  @BeforeEach
  void beginWithAnEmptyLedger() {
    scope = newScope();
  }

  /** To be called before the server is ended, if a test does that. */
  @AfterEach
  protected void killProcesses() {
    processes.forEach(LedgerProcess::kill);
    processes.clear();
  }

  private static LedgerScope newScope() {
    return new LedgerScope("ORDERS-" + SCOPES.incrementAndGet(), "billing", "ho77nadw1d");
  }

  @Test
  void an_empty_batch_is_answered() {
    CompletionLedger ledger = open();
    assertThat(answer(ledger.completed(List.of())).isEmpty()).isTrue();
    answer(ledger.record(List.of()));
  }

  @Test
  void what_was_recorded_is_completed_and_nothing_else() {
    CompletionLedger ledger = open();
    answer(ledger.record(List.of(TestMessage.of(7))));
    assertThat(completed(ledger, TestMessage.range(1, 10))).containsExactly(7L);
  }

  @Test
  void ten_thousand_at_once_are_recorded_and_looked_up() {
    CompletionLedger ledger = open();
    List<TestMessage> all = TestMessage.range(60_000, 69_999);
    assertThat(completed(ledger, all)).isEmpty();
    answer(ledger.record(all));
    assertThat(completed(ledger, TestMessage.range(59_998, 70_001))).isEqualTo(sequences(all));
  }

  @Test
  void many_small_records_add_up() {
    CompletionLedger ledger = open();
    List<TestMessage> all = TestMessage.range(1, 500);
    all.stream().map(message -> ledger.record(List.of(message))).toList().forEach(this::answer);
    assertThat(completed(ledger, TestMessage.range(1, 501))).isEqualTo(sequences(all));
    assertThat(completed(open(), TestMessage.range(1, 501))).isEqualTo(sequences(all));
  }

  @Test
  void sequences_may_be_as_large_as_they_get() {
    CompletionLedger ledger = open();
    List<TestMessage> large =
        Stream.of(65_535L, 65_536L, (1L << 32) + 1, 1L << 47).map(TestMessage::of).toList();
    answer(ledger.record(large));
    assertThat(completed(ledger, large)).isEqualTo(sequences(large));
    assertThat(completed(ledger, Stream.of(1L, 65_534L, 1L << 32).map(TestMessage::of).toList()))
        .isEmpty();
  }

  @Test
  void recording_twice_is_harmless_also_within_a_batch() {
    CompletionLedger ledger = open();
    List<TestMessage> twice = List.of(TestMessage.of(3), TestMessage.of(3), TestMessage.of(4));
    answer(ledger.record(twice));
    answer(ledger.record(twice));
    BitSet answer = answer(ledger.completed(TestMessage.range(3, 5)));
    assertThat(answer).isEqualTo(BitSet.valueOf(new long[] {0b011}));
    assertThat(answer(ledger.completed(twice)).cardinality()).isEqualTo(3);
  }

  @Test
  void calls_of_many_threads_do_not_disturb_each_other() {
    CompletionLedger ledger = open();
    calls()
        .inParallel(
            8,
            worker -> {
              for (int i = 0; i < 50; i++) {
                long from = 1 + 1_000L * worker + 10L * i;
                answer(ledger.record(TestMessage.range(from, from + 4)));
                assertThat(completed(ledger, TestMessage.range(from, from + 9)))
                    .isEqualTo(sequences(TestMessage.range(from, from + 4)));
              }
            });
  }

  @Test
  void what_one_worker_recorded_every_other_knows_from_then_on() {
    CompletionLedger one = open();
    CompletionLedger other = open();
    for (long sequence = 1; sequence <= 100; sequence += 2) {
      answer(one.record(List.of(TestMessage.of(sequence))));
      assertThat(completed(other, TestMessage.range(sequence, sequence + 1)))
          .as("known to the other")
          .containsExactly(sequence);
      answer(other.record(List.of(TestMessage.of(sequence + 1))));
      assertThat(completed(one, TestMessage.range(sequence, sequence + 1)))
          .as("known to the one")
          .containsExactly(sequence, sequence + 1);
    }
  }

  @Test
  void concurrent_workers_see_one_ledger() {
    History history = new History();
    List<CompletionLedger> ledgers = IntStream.range(0, WORKERS).mapToObj(i -> open()).toList();
    for (int round = 0; round < ROUNDS; round++) {
      // Each begins when the last has ended: however the threads are scheduled, what some of them
      // recorded is news to others.
      long number = round;
      calls()
          .inParallel(
              2 * WORKERS,
              worker -> callAtRandom(history, ledgers.get(worker % WORKERS), worker, number));
    }
    assertThat(history.violations()).as("answers that no single ledger gives").isEmpty();
  }

  private void callAtRandom(History history, CompletionLedger ledger, int worker, long round) {
    SplittableRandom random = new SplittableRandom(round * 2 * WORKERS + worker);
    long lowest = 1 + round * 20;
    for (int i = 0; i < 10; i++) {
      List<TestMessage> batch =
          random
              .longs(random.nextInt(1, 9), lowest, lowest + 60)
              .mapToObj(TestMessage::of)
              .toList();
      if (random.nextInt(4) == 0) {
        calls().record(history, ledger, batch);
      } else {
        calls().lookUp(history, ledger, batch);
      }
    }
  }

  @Test
  void streams_consumers_and_incarnations_do_not_see_each_other() {
    LedgerProcess process = start();
    String stream = scope.stream();
    CompletionLedger ledger = process.open(new LedgerScope(stream + ":A", "billing", "i1"));
    answer(ledger.record(TestMessage.range(1, 5)));
    List<LedgerScope> others =
        List.of(
            new LedgerScope(stream + ":A", "billing", "i2"),
            new LedgerScope(stream + ":A", "shipping", "i1"),
            new LedgerScope(stream + ":B", "billing", "i1"),
            // Names may hold what an adapter puts between them.
            new LedgerScope(stream, "A:billing", "i1"),
            new LedgerScope(stream + ":A:billing", "i1", "1"),
            new LedgerScope(stream + "%3AA", "billing", "i1"),
            new LedgerScope(stream + "_A", "billing", "i1"),
            new LedgerScope(stream + ":A", "?illing", "i1"));
    for (LedgerScope other : others) {
      assertThat(completed(process.open(other), TestMessage.range(1, 15)))
          .as("%s", other)
          .isEmpty();
    }
    assertThat(completed(ledger, TestMessage.range(1, 9))).hasSize(5);
  }

  @Test
  void a_message_that_has_the_sequence_of_a_completed_one_is_not_completed() {
    assumeTrue(capabilities().contains(LedgerCapability.TELLS_REUSED_SEQUENCES));
    CompletionLedger ledger = open();
    answer(ledger.record(TestMessage.range(1, 10)));
    List<TestMessage> reused =
        TestMessage.range(6, 10).stream().map(it -> it.publishedLaterBy(LATER)).toList();

    assertThat(completed(ledger, reused)).as("of a stream set back to 5").isEmpty();
    assertThat(completed(open(), reused)).as("as another worker sees it").isEmpty();
    assertThat(completed(ledger, TestMessage.range(1, 5))).as("what was not reused").hasSize(5);

    answer(ledger.record(reused));
    assertThat(completed(ledger, reused)).hasSize(5);
    assertThat(completed(open(), reused)).hasSize(5);
  }

  @Test
  void whatever_was_confirmed_to_a_worker_that_was_killed_is_known() {
    SplittableRandom random = new SplittableRandom(1);
    Set<Long> confirmed = ConcurrentHashMap.newKeySet();
    long next = 1;
    for (int kill = 1; kill <= KILLS; kill++) {
      DyingWorker worker = new DyingWorker(start(), scope, confirmed);
      next = worker.recordUntilKilled(next, random.nextInt(40), random, calls());
      Set<Long> promised = Set.copyOf(confirmed);
      CompletionLedger heir = open();
      assertThat(completed(heir, TestMessage.range(1, next - 1)))
          .as("known after kill %s", kill)
          .containsAll(promised);
      assertThat(completed(heir, TestMessage.range(next, next + 50))).isEmpty();
    }
    answer(open().record(TestMessage.range(1, next - 1)));
    assertThat(completed(open(), TestMessage.range(1, next))).hasSize((int) next - 1);
  }

  @Test
  void closing_answers_what_is_under_way_and_what_comes_after() {
    CompletionLedger ledger = open();
    List<CompletionStage<?>> calls = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      calls.add(ledger.record(TestMessage.range(1, 1_000)));
      calls.add(ledger.completed(TestMessage.range(1, 1_000)));
    }
    ledger.close();
    calls.add(ledger.record(TestMessage.range(1, 5)));
    calls.add(ledger.completed(TestMessage.range(1, 5)));
    assertThat(calls).as("calls").allSatisfy(calls()::isAnswered);
  }

  @Test
  void an_outage_is_answered_with_failures_or_late_but_never_wrongly_and_passes() {
    CompletionLedger ledger = open();
    List<TestMessage> before = TestMessage.range(1, 50);
    List<TestMessage> during = TestMessage.range(51, 100);
    answer(ledger.record(before));

    endServer();
    List<CompletionStage<BitSet>> lookUps = new ArrayList<>();
    List<CompletionStage<Void>> records = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      lookUps.add(calls().atOnce(() -> ledger.completed(TestMessage.range(1, 200))));
      records.add(calls().atOnce(() -> ledger.record(during)));
    }
    startServer();

    assertThat(records).as("records in the outage").allSatisfy(calls()::isAnswered);
    assertThat(lookUps).as("look-ups in the outage").allSatisfy(calls()::isAnswered);
    boolean outlives = capabilities().contains(LedgerCapability.OUTLIVES_ITS_SERVER);
    for (CompletionStage<BitSet> lookUp : lookUps) {
      if (!lookUp.toCompletableFuture().isCompletedExceptionally()) {
        BitSet completed = answer(lookUp);
        assertThat(completed.nextClearBit(0) >= before.size() || !outlives).isTrue();
        assertThat(completed.length()).as("nobody recorded more").isLessThanOrEqualTo(100);
      }
    }
    calls().until(() -> ledger.record(during));
    List<Long> known = outlives ? sequences(TestMessage.range(1, 100)) : sequences(during);
    List<TestMessage> all = TestMessage.range(1, 200);
    assertThat(LedgerCalls.chosen(all, calls().until(() -> ledger.completed(all))))
        .as("after the outage")
        .containsAll(known)
        .hasSizeLessThanOrEqualTo(100);
    assertThat(completed(open(), TestMessage.range(1, 200))).as("to others").containsAll(known);
  }

  /** Opens the ledger in a process of its own. */
  private CompletionLedger open() {
    return start().open(scope);
  }

  private LedgerProcess start() {
    LedgerProcess process = startProcess();
    processes.add(process);
    return process;
  }

  private LedgerCalls calls() {
    return new LedgerCalls(patience());
  }

  private <T> T answer(CompletionStage<T> call) {
    return calls().answer(call);
  }

  private List<Long> completed(CompletionLedger ledger, List<TestMessage> messages) {
    return calls().completed(ledger, messages);
  }

  private static List<Long> sequences(List<TestMessage> messages) {
    return messages.stream().map(TestMessage::sequence).toList();
  }
}
