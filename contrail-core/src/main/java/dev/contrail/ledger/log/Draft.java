package dev.contrail.ledger.log;

import java.util.Arrays;

/** Completions of one block on their way into a record. */
final class Draft {
  private int[] lows = new int[64];
  private int count;
  private long publishedMillis;

  void add(long sequence, long messagePublishedMillis) {
    if (count == lows.length) {
      lows = Arrays.copyOf(lows, 2 * count);
    }
    lows[count++] = (int) (sequence & BlockKey.LOW);
    publishedMillis = Math.max(publishedMillis, messagePublishedMillis);
  }

  byte[] encode(int writer) {
    Arrays.sort(lows, 0, count);
    return RecordFormat.completions(writer, lows, count, publishedMillis);
  }
}
