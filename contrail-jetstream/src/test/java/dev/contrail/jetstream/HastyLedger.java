package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerEntry;
import dev.contrail.ledger.LedgerScope;
import dev.contrail.ledger.log.LedgerTimes;
import io.nats.client.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/** Ledgers in JetStream that do within a second what others take a minute for. */
final class HastyLedger {
  static final Duration LIMIT = Duration.ofMinutes(2);

  private static final LedgerTimes TIMES =
      new LedgerTimes(
          Duration.ofMillis(200),
          Duration.ofMillis(400),
          Duration.ofMillis(300),
          Duration.ofHours(1));

  record Entry(long sequence, long publishedMillis) implements LedgerEntry {
    static Entry of(long sequence) {
      return new Entry(sequence, 1_700_000_000_000L + sequence);
    }

    static List<Entry> range(long from, long to) {
      return LongStream.rangeClosed(from, to).mapToObj(Entry::of).toList();
    }
  }

  private HastyLedger() {}

  static CompletionLedger open(Connection connection, JetStreamApi api, LedgerScope scope) {
    return new JetStreamLedger(
        connection, api, Names.DEFAULT, scope, TIMES, Duration.ofDays(1), alert -> {});
  }

  static void provision(Connection connection, int replicas) {
    new Provisioning(
            connection,
            Workplace.PATIENT,
            InitPlan.of(Names.DEFAULT).withReplicas(replicas),
            Provision.CREATE)
        .ensure(List.of(Store.LEDGER));
  }

  static void record(CompletionLedger ledger, List<Entry> batch) {
    untilAnswered(() -> ledger.record(batch));
  }

  static int completed(CompletionLedger ledger, List<Entry> entries) {
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
}
