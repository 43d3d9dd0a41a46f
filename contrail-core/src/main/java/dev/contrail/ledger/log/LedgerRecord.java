package dev.contrail.ledger.log;

import java.util.List;
import org.roaringbitmap.RoaringBitmap;

/** One record of the log. Sequences are kept as what is left of them within their block. */
sealed interface LedgerRecord {
  /** Says nothing; whoever sees it has seen all before it. */
  record Barrier() implements LedgerRecord {}

  /**
   * Messages that were completed, all of them of one layer.
   *
   * @param lows their sequences within the block; none when it is only to be known that the stream
   *     uses sequences again
   * @param times when messages were published, so many that each of them lies close to one before
   *     it and one after it
   */
  record Completions(RoaringBitmap lows, PublishTimes times) implements LedgerRecord {}

  /**
   * What all records of the block up to one of them add up to.
   *
   * @param covers the place in the log of the last of them
   */
  record Snapshot(long covers, List<Layer> layers) implements LedgerRecord {}

  /** Messages that are to be processed again. Both ends are meant. */
  record Forget(int from, int to) implements LedgerRecord {}
}
