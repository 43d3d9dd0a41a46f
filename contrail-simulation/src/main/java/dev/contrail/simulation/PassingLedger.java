package dev.contrail.simulation;

import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerEntry;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Passes on what a ledger is asked. */
class PassingLedger implements CompletionLedger {
  protected final CompletionLedger ledger;

  PassingLedger(CompletionLedger ledger) {
    this.ledger = ledger;
  }

  @Override
  public CompletionStage<BitSet> completed(List<? extends LedgerEntry> messages) {
    return ledger.completed(messages);
  }

  @Override
  public CompletionStage<Void> record(List<? extends LedgerEntry> messages) {
    return ledger.record(messages);
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
