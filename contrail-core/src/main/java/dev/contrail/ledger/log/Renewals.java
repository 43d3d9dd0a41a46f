package dev.contrail.ledger.log;

import dev.contrail.ledger.LedgerEntry;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.roaringbitmap.RoaringBitmap;

/**
 * Makes it known that a stream uses sequences again: to whoever looks after it, and to the other
 * workers by a record, so that what they complete of the renewed stream is kept apart from then on,
 * however long the message that gave it away takes.
 */
final class Renewals {
  private final int writer;
  private final LedgerPort port;
  private final LongSupplier ids;
  private final Map<Long, BlockKey> underWay = new HashMap<>();
  private int layersTold = 1;

  Renewals(int writer, LedgerPort port, LongSupplier ids) {
    this.writer = writer;
    this.port = port;
    this.ids = ids;
  }

  /** The message contradicts all that its block knows. */
  void noticed(LedgerEntry message, Block block) {
    if (block.layers().size() >= layersTold) {
      layersTold = block.layers().size() + 1;
      port.sequenceReused(message.sequence());
    }
    if (underWay.containsValue(block.key())) {
      return;
    }
    PublishTimes times = PublishTimes.unbounded();
    times.add(BlockKey.low(message.sequence()), message.publishedMillis());
    byte[] record =
        RecordFormat.completions(writer, new LedgerRecord.Completions(new RoaringBitmap(), times));
    long id = ids.getAsLong();
    underWay.put(id, block.key());
    port.publish(id, block.key().token(), record);
  }

  /** The record is stored, or perhaps not; who still needs it will notice again. */
  void answered(long id) {
    underWay.remove(id);
  }
}
