package dev.contrail.ledger.log;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.roaringbitmap.RoaringBitmap;

/**
 * Completions of one block on their way into records: one, unless they are of messages from before
 * and after their stream began to use sequences again.
 */
final class Draft {
  private static final int TIME_BITS = 47;
  private static final long LATEST = (1L << TIME_BITS) - 1;

  private long[] messages = new long[64];
  private int count;
  private boolean unsorted;

  void add(long sequence, long publishedMillis) {
    if (count == messages.length) {
      messages = Arrays.copyOf(messages, 2 * count);
    }
    long time = Math.max(0, Math.min(publishedMillis, LATEST));
    long message = (long) BlockKey.low(sequence) << TIME_BITS | time;
    unsorted |= count > 0 && message < messages[count - 1];
    messages[count++] = message;
  }

  List<LedgerRecord.Completions> records() {
    if (unsorted) {
      Arrays.sort(messages, 0, count);
    }
    List<LedgerRecord.Completions> records = new ArrayList<>(1);
    for (int i = 0; i < count; i++) {
      int low = (int) (messages[i] >>> TIME_BITS);
      long publishedMillis = messages[i] & LATEST;
      LedgerRecord.Completions record = recordFor(low, publishedMillis, records);
      record.lows().add(low);
      record.times().add(low, publishedMillis);
    }
    return records;
  }

  private static LedgerRecord.Completions recordFor(
      int low, long publishedMillis, List<LedgerRecord.Completions> records) {
    for (LedgerRecord.Completions record : records) {
      if (record.times().agree(low, publishedMillis, PublishTimes.SKEW_MILLIS)) {
        return record;
      }
    }
    LedgerRecord.Completions next =
        new LedgerRecord.Completions(new RoaringBitmap(), PublishTimes.unbounded());
    records.add(next);
    return next;
  }
}
