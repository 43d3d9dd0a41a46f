package dev.contrail.ledger.log;

import org.roaringbitmap.RoaringBitmap;

/**
 * Completions of a block that can be of the same messages: a sequence stands for one of them. A
 * block has a second layer only when its stream has used sequences again.
 */
final class Layer {
  private final RoaringBitmap completed;
  private final PublishTimes times;

  Layer() {
    this(new RoaringBitmap(), PublishTimes.bounded());
  }

  Layer(RoaringBitmap completed, PublishTimes times) {
    this.completed = completed;
    this.times = times;
  }

  RoaringBitmap completed() {
    return completed;
  }

  long completed(int from, int to) {
    return completed.rangeCardinality(from, to + 1L);
  }

  PublishTimes times() {
    return times;
  }

  boolean contains(int low, long publishedMillis) {
    return completed.contains(low) && agrees(low, publishedMillis);
  }

  boolean agrees(int low, long publishedMillis) {
    return times.agree(low, publishedMillis, PublishTimes.SAME_MILLIS);
  }

  void add(RoaringBitmap lows, PublishTimes newTimes) {
    completed.or(lows);
    times.addAll(newTimes);
  }

  void remove(int from, int to) {
    completed.remove((long) from, to + 1L);
  }

  /** Takes as little memory as can be. */
  void trim() {
    completed.runOptimize();
    completed.trim();
  }
}
