package dev.contrail.conformance;

import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerScope;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A worker that records as fast as it can, and is killed on the way. */
final class DyingWorker {
  private static final int RECORDS = 60;
  private static final int LARGEST_RECORD = 20;

  private final LedgerProcess process;
  private final CompletionLedger ledger;
  private final Set<Long> confirmed;

  /**
   * A worker in a process of its own.
   *
   * @param confirmed gets the sequences that are confirmed to it
   */
  DyingWorker(LedgerProcess process, LedgerScope scope, Set<Long> confirmed) {
    this.process = process;
    this.ledger = process.open(scope);
    this.confirmed = confirmed;
  }

  /** Returns the first sequence that it did not try to record. */
  long recordUntilKilled(
      long first, int confirmations, SplittableRandom random, LedgerCalls calls) {
    CompletableFuture<Void> time = new CompletableFuture<>();
    AtomicInteger left = new AtomicInteger(confirmations);
    if (confirmations == 0) {
      time.complete(null);
    }
    long next = first;
    for (int i = 0; i < RECORDS; i++) {
      List<TestMessage> batch = TestMessage.range(next, next + random.nextInt(LARGEST_RECORD));
      next += batch.size();
      var unused =
          ledger
              .record(batch)
              .thenRun(
                  () -> {
                    batch.forEach(message -> confirmed.add(message.sequence()));
                    if (left.decrementAndGet() == 0) {
                      time.complete(null);
                    }
                  });
    }
    calls.answer(time);
    process.kill();
    return next;
  }
}
