package dev.contrail.conformance;

import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerFactory;
import dev.contrail.ledger.LedgerScope;

/**
 * A process in which workers run, as far as a ledger can tell: with a connection of its own, and no
 * memory of others.
 */
public interface LedgerProcess extends LedgerFactory {
  @Override
  CompletionLedger open(LedgerScope scope);

  /**
   * Ends it at once, without a word to its ledgers, as if it had been killed. Killing it again does
   * nothing.
   */
  void kill();
}
