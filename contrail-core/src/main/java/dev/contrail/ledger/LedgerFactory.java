package dev.contrail.ledger;

import java.util.function.Consumer;

/** Opens the ledger of a consumer. Called at its start, and again when its stream was replaced. */
@FunctionalInterface
public interface LedgerFactory {
  /**
   * Opens it.
   *
   * @throws RuntimeException with one clear sentence when that is not possible
   */
  CompletionLedger open(LedgerScope scope);

  /**
   * Opens it with somebody to tell.
   *
   * @param alerts is told in one sentence what somebody should know: that the stream hands out
   *     sequences again, so that messages are not those that were completed. From any thread
   */
  default CompletionLedger open(LedgerScope scope, Consumer<String> alerts) {
    return open(scope);
  }
}
