package dev.contrail.operations;

import dev.contrail.ledger.LedgerScope;
import dev.contrail.ledger.log.LedgerView;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One ledger as it is.
 *
 * @param source the stream it is of; empty when that was deleted, or made again since
 */
public record LedgerState(LedgerScope scope, LedgerView view, Optional<Source> source) {
  /** The sequences that the stream holds. */
  public record Source(long firstSequence, long lastSequence) {}

  /** When its last record was stored. */
  public Optional<Instant> lastRecordAt() {
    return view.blocks().stream()
        .map(block -> Instant.ofEpochMilli(block.lastMillis()))
        .max(Instant::compareTo);
  }

  /** The oldest message of the stream that is not completed, if there is one. */
  public OptionalLong oldestOpen() {
    return source
        .map(held -> view.firstOpen(Math.max(1, held.firstSequence()), held.lastSequence()))
        .orElse(OptionalLong.empty());
  }
}
