package dev.contrail.cli.ledger;

import dev.contrail.ledger.log.LedgerView;
import dev.contrail.operations.LedgerState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** All of a ledger as {@code --json} shows it: what {@link LedgerSummary} has, and more. */
record LedgerDetails(
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
    Optional<Instant> lastRecordAt,
    List<Block> blockList,
    List<LedgerView.Range> ranges) {
  /**
   * One block of 65,536 sequences.
   *
   * @param epochs how many lives of its sequences it can tell apart
   * @param looseRecords how many records wait to be put together
   */
  record Block(
      int epochs, long from, long to, long completed, long looseRecords, Instant lastRecordAt) {}

  static LedgerDetails of(LedgerState ledger) {
    LedgerSummary summary = LedgerSummary.of(ledger);
    return new LedgerDetails(
        summary.stream(),
        summary.consumer(),
        summary.incarnation(),
        summary.current(),
        summary.completed(),
        summary.oldestOpen(),
        summary.blocks(),
        summary.epochs(),
        summary.records(),
        summary.bytes(),
        summary.lastRecordAt(),
        ledger.view().blocks().stream().map(LedgerDetails::block).toList(),
        ledger.view().ranges());
  }

  private static Block block(LedgerView.BlockSummary block) {
    return new Block(
        block.epochs(),
        block.key().first(),
        block.key().last(),
        block.completed(),
        block.loose(),
        Instant.ofEpochMilli(block.lastMillis()));
  }
}
