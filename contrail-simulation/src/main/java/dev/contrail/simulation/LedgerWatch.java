package dev.contrail.simulation;

import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerEntry;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Knows what all workers of the consumer told their ledgers, and what those answered. */
final class LedgerWatch {
  private final Referee referee;
  private final Map<Long, Long> confirmedAt = new HashMap<>();
  private final Set<Long> attempted = new HashSet<>();
  private final Set<Long> recorded = new HashSet<>();
  private long moment;

  LedgerWatch(Referee referee) {
    this.referee = referee;
  }

  /** The order of things matters, not their time. */
  long moment() {
    moment++;
    return moment;
  }

  /** Whether its completion is known to be stored. */
  boolean isRecorded(long sequence) {
    return recorded.contains(sequence);
  }

  /** Whether any worker was told so. */
  boolean isConfirmed(long sequence) {
    return confirmedAt.containsKey(sequence);
  }

  /** Whether any worker was told so before that moment. */
  boolean isConfirmedBefore(long sequence, long asked) {
    Long confirmed = confirmedAt.get(sequence);
    return confirmed != null && confirmed < asked;
  }

  CompletionLedger watch(CompletionLedger ledger) {
    return new Watched(ledger);
  }

  private final class Watched implements CompletionLedger {
    private final CompletionLedger ledger;

    Watched(CompletionLedger ledger) {
      this.ledger = ledger;
    }

    @Override
    public CompletionStage<BitSet> completed(List<? extends LedgerEntry> messages) {
      long asked = moment();
      return ledger
          .completed(messages)
          .thenApply(
              completed -> {
                for (int i = 0; i < messages.size(); i++) {
                  answered(messages.get(i).sequence(), completed.get(i), asked);
                }
                return completed;
              });
    }

    @Override
    public CompletionStage<Void> record(List<? extends LedgerEntry> messages) {
      messages.forEach(message -> attempted.add(message.sequence()));
      return ledger
          .record(messages)
          .thenApply(
              stored -> {
                for (LedgerEntry message : messages) {
                  confirmedAt.putIfAbsent(message.sequence(), moment());
                  recorded.add(message.sequence());
                }
                return null;
              });
    }

    @Override
    public Optional<String> objection(Duration effectiveAckWait) {
      return ledger.objection(effectiveAckWait);
    }

    @Override
    public void close() {
      ledger.close();
    }
  }

  private void answered(long sequence, boolean completed, long asked) {
    if (completed) {
      referee.require(
          attempted.contains(sequence),
          Invariant.CURRENT_LOOK_UPS,
          "the ledger has " + sequence + " as completed, which nobody recorded");
      recorded.add(sequence);
    } else {
      referee.require(
          !isConfirmedBefore(sequence, asked),
          Invariant.CURRENT_LOOK_UPS,
          "the ledger does not know of " + sequence + ", recorded before it was asked");
    }
  }
}
