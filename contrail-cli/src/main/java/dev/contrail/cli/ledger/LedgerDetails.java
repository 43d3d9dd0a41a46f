package dev.contrail.cli.ledger;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.contrail.ledger.log.LedgerView;
import dev.contrail.operations.LedgerState;
import java.time.Instant;
import java.util.List;

/** All of a ledger as {@code --json} shows it. */
record LedgerDetails(
    @JsonUnwrapped LedgerSummary summary, List<Block> blockList, List<LedgerView.Range> ranges) {
  /**
   * One block of 65,536 sequences.
   *
   * @param epochs how many lives of its sequences it can tell apart
   * @param looseRecords how many records wait to be put together
   */
  record Block(
      int epochs, long from, long to, long completed, long looseRecords, Instant lastRecordAt) {}

  static LedgerDetails of(LedgerState ledger) {
    return new LedgerDetails(
        LedgerSummary.of(ledger),
        ledger.view().blocks().stream().map(LedgerDetails::block).toList(),
        ledger.view().ranges());
  }

  static Block block(LedgerView.BlockSummary block) {
    return new Block(
        block.epochs(),
        block.key().first(),
        block.key().last(),
        block.completed(),
        block.loose(),
        Instant.ofEpochMilli(block.lastMillis()));
  }
}
