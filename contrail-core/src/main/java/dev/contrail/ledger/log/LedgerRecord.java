package dev.contrail.ledger.log;

import org.roaringbitmap.RoaringBitmap;

/** One record of the log. Sequences are kept as what is left of them within their block. */
sealed interface LedgerRecord {
  /** Says nothing; whoever sees it has seen all before it. */
  record Barrier() implements LedgerRecord {}

  /**
   * Messages that were completed.
   *
   * @param lows their sequences within the block, not empty
   * @param publishedMillis when the youngest of them was published
   */
  record Completions(RoaringBitmap lows, long publishedMillis) implements LedgerRecord {}

  /**
   * What all records of the block up to one of them add up to.
   *
   * @param covers the place in the log of the last of them
   * @param forgotten the place in the log of the last of them that forgot something, or 0
   */
  record Snapshot(long covers, long forgotten, PublishTimes times, RoaringBitmap completed)
      implements LedgerRecord {}

  /** Messages that are to be processed again. Both ends are meant. */
  record Forget(int from, int to) implements LedgerRecord {}
}
