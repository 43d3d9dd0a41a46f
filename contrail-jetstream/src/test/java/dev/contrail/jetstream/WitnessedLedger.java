package dev.contrail.jetstream;

import dev.contrail.engine.InFlight;
import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerEntry;
import dev.contrail.ledger.LedgerFactory;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The ledgers of several workers in one process, of which is noted when a message passes as open
 * whose completion had been confirmed to any of them, and when one is run that did not pass.
 */
final class WitnessedLedger {
  private final Set<Long> recorded = ConcurrentHashMap.newKeySet();
  private final Map<Long, Integer> passed = new ConcurrentHashMap<>();
  private final Map<Long, Integer> runs = new ConcurrentHashMap<>();
  private final AtomicInteger known = new AtomicInteger();
  private final AtomicInteger knownOnFirstDelivery = new AtomicInteger();
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();

  /** The ledger of one more worker. */
  LedgerFactory of(LedgerFactory factory) {
    return scope -> new Ledger(factory.open(scope));
  }

  /** To be called by the handler. */
  void run(long sequence) {
    int run = runs.merge(sequence, 1, Integer::sum);
    if (run > passed.getOrDefault(sequence, 0)) {
      violations.add("message " + sequence + " was run, and the ledger had not been asked");
    }
  }

  Map<Long, Integer> runs() {
    return runs;
  }

  /** How many were known as completed when they were looked up. */
  int known() {
    return known.get();
  }

  /** How many were known as completed that the server delivered as if for the first time. */
  int knownOnFirstDelivery() {
    return knownOnFirstDelivery.get();
  }

  List<String> violations() {
    return List.copyOf(violations);
  }

  private final class Ledger implements CompletionLedger {
    private final CompletionLedger ledger;

    Ledger(CompletionLedger ledger) {
      this.ledger = ledger;
    }

    @Override
    public CompletionStage<BitSet> completed(List<? extends LedgerEntry> messages) {
      BitSet before = new BitSet();
      BitSet first = new BitSet();
      for (int i = 0; i < messages.size(); i++) {
        before.set(i, recorded.contains(messages.get(i).sequence()));
        first.set(i, isFirstDelivery(messages.get(i)));
      }
      return ledger
          .completed(messages)
          .thenApply(
              completed -> {
                known.addAndGet(completed.cardinality());
                first.and(completed);
                knownOnFirstDelivery.addAndGet(first.cardinality());
                for (int i = 0; i < messages.size(); i++) {
                  answered(messages.get(i).sequence(), before.get(i), completed.get(i));
                }
                return completed;
              });
    }

    @Override
    public CompletionStage<Void> record(List<? extends LedgerEntry> messages) {
      List<Long> sequences = messages.stream().map(LedgerEntry::sequence).toList();
      return ledger.record(messages).thenRun(() -> recorded.addAll(sequences));
    }

    @Override
    public void close() {
      ledger.close();
    }
  }

  private static boolean isFirstDelivery(LedgerEntry message) {
    return message instanceof InFlight<?> delivery && delivery.deliveries() == 1;
  }

  private void answered(long sequence, boolean wasRecorded, boolean completed) {
    if (completed) {
      return;
    }
    passed.merge(sequence, 1, Integer::sum);
    if (wasRecorded) {
      violations.add("message " + sequence + " passed as open after its completion was recorded");
    }
  }
}
