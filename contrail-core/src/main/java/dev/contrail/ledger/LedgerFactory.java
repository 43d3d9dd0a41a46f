package dev.contrail.ledger;

/** Opens the ledger of a consumer. Called at its start, and again when its stream was replaced. */
@FunctionalInterface
public interface LedgerFactory {
  /**
   * Opens it.
   *
   * @throws RuntimeException with one clear sentence when that is not possible
   */
  CompletionLedger open(LedgerScope scope);
}
