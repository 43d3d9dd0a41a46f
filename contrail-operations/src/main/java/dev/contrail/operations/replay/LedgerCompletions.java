package dev.contrail.operations.replay;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.operations.LedgerState;
import dev.contrail.operations.Ledgers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Messages that have a dead letter and are completed all the same: a worker that was taken for dead
 * may have finished one after another worker gave it up. Read once for each consumer.
 */
final class LedgerCompletions implements EntryReplay.Completed {
  private final Ledgers ledgers;
  private final ServerFacts facts;
  private final Map<String, Optional<LedgerState>> known = new HashMap<>();

  LedgerCompletions(Ledgers ledgers, ServerFacts facts) {
    this.ledgers = ledgers;
    this.facts = facts;
  }

  @Override
  public synchronized boolean isCompleted(DeadLetterId id) {
    return known
        .computeIfAbsent(
            id.stream() + "." + id.consumer() + "." + id.incarnation(), any -> read(id))
        .map(ledger -> ledger.view().completed(id.sequence(), id.sequence()) > 0)
        .orElse(false);
  }

  /** Where sequences were handed out again, it cannot be told which of the messages is meant. */
  private Optional<LedgerState> read(DeadLetterId id) {
    if (!facts.hasLedger(id.stream(), id.consumer())) {
      return Optional.empty();
    }
    try {
      List<LedgerState> all = ledgers.of(id.stream(), id.consumer());
      return all.stream()
          .filter(ledger -> ledger.scope().streamIncarnation().equals(id.incarnation()))
          .findFirst()
          .filter(ledger -> ledger.view().epochs() == 1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
