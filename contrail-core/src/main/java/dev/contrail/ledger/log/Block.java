package dev.contrail.ledger.log;

import java.util.ArrayList;
import java.util.List;
import org.roaringbitmap.RoaringBitmap;

/** What the records of one block add up to. */
final class Block {
  /** Something forgotten, and where in the log that stands. */
  private record Forgotten(long place, int from, int to) {}

  private final BlockKey key;
  private final PublishTimes times = new PublishTimes();
  private final List<Forgotten> forgotten = new ArrayList<>();
  private final RoaringBitmap completed = new RoaringBitmap();

  private long firstPlace;
  private long lastPlace;
  private long lastForget;
  private long covered;
  private int sinceSnapshot;
  private long storedMillis;

  Block(BlockKey key) {
    this.key = key;
  }

  BlockKey key() {
    return key;
  }

  boolean contains(long sequence) {
    return completed.contains(low(sequence));
  }

  /** Whether a message of that sequence and time belongs to a later epoch. */
  boolean excludes(long sequence, long publishedMillis) {
    return times.exclude(sequence, publishedMillis);
  }

  /** How many completions it holds. */
  int size() {
    return completed.getCardinality();
  }

  RoaringBitmap completed() {
    return completed;
  }

  /** The place in the log of its last record. */
  long lastPlace() {
    return lastPlace;
  }

  /** When its last record was stored. */
  long storedMillis() {
    return storedMillis;
  }

  /** How many records came since the last snapshot. */
  int sinceSnapshot() {
    return sinceSnapshot;
  }

  /** Up to which place in the log a snapshot makes the records of this block superfluous. */
  long covered() {
    return covered;
  }

  /** Whether it has seen records that a snapshot made superfluous. */
  boolean hasSuperfluous() {
    return firstPlace <= covered;
  }

  /** They are gone from the log. */
  void purged(long below) {
    firstPlace = Math.max(firstPlace, below);
  }

  long bytes() {
    return completed.getLongSizeInBytes();
  }

  /**
   * Takes in the record at that place of the log.
   *
   * @return false when something was missed that this record cannot make good: read all again
   */
  boolean apply(long place, LedgerRecord record, long recordStoredMillis) {
    if (firstPlace == 0) {
      firstPlace = place;
    }
    boolean whole = true;
    if (record instanceof LedgerRecord.Completions completions) {
      add(completions);
    } else if (record instanceof LedgerRecord.Forget forget) {
      completed.remove((long) forget.from(), forget.to() + 1L);
      forgotten.add(new Forgotten(place, forget.from(), forget.to()));
      lastForget = place;
      sinceSnapshot++;
    } else if (record instanceof LedgerRecord.Snapshot snapshot) {
      whole = merge(snapshot);
    }
    lastPlace = place;
    storedMillis = recordStoredMillis;
    return whole;
  }

  private void add(LedgerRecord.Completions completions) {
    completed.or(completions.lows());
    times.add(key.first() + completions.lows().last(), completions.publishedMillis());
    sinceSnapshot++;
  }

  /**
   * Who has read everything learns nothing here. Who came late finds the records gone that it is
   * made of, but none of those after the last that it covers.
   */
  private boolean merge(LedgerRecord.Snapshot snapshot) {
    if (snapshot.forgotten() > lastForget && firstPlace < snapshot.forgotten()) {
      // What was forgotten is still in here, and the record that says so is gone.
      return false;
    }
    RoaringBitmap news = snapshot.completed();
    for (Forgotten later : forgotten) {
      if (later.place > snapshot.covers()) {
        news.remove((long) later.from, later.to + 1L);
      }
    }
    completed.or(news);
    times.addAll(snapshot.times());
    forgotten.removeIf(earlier -> earlier.place <= snapshot.covers());
    lastForget = Math.max(lastForget, snapshot.forgotten());
    covered = Math.max(covered, snapshot.covers());
    sinceSnapshot = 0;
    return true;
  }

  /** Takes as little memory, and makes as small a snapshot, as can be. */
  LedgerRecord.Snapshot snapshot() {
    completed.runOptimize();
    completed.trim();
    return new LedgerRecord.Snapshot(lastPlace, lastForget, times, completed);
  }

  private static int low(long sequence) {
    return (int) (sequence & BlockKey.LOW);
  }
}
