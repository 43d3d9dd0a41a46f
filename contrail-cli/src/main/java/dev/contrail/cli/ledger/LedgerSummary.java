package dev.contrail.cli.ledger;

import dev.contrail.operations.LedgerState;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A ledger as {@code --json} shows it.
 *
 * @param current whether the stream that it is of is still there
 * @param epochs more than one when the stream handed out sequences again
 * @param records how many records it is made of
 * @param bytes how many bytes they hold
 * @param oldestOpen the oldest message of the stream that is not completed
 */
record LedgerSummary(
    String stream,
    String consumer,
    String incarnation,
    boolean current,
    long completed,
    OptionalLong oldestOpen,
    int blocks,
    int epochs,
    long records,
    long bytes,
    Optional<Instant> lastRecordAt) {
  static LedgerSummary of(LedgerState ledger) {
    return new LedgerSummary(
        ledger.scope().stream(),
        ledger.scope().consumer(),
        ledger.scope().incarnation(),
        ledger.source().isPresent(),
        ledger.view().completed(),
        ledger.oldestOpen(),
        ledger.view().blocks().size(),
        ledger.view().epochs(),
        ledger.view().records(),
        ledger.view().recordBytes(),
        ledger.lastRecordAt());
  }
}
