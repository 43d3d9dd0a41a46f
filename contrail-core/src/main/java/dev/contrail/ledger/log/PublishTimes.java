package dev.contrail.ledger.log;

import java.util.Arrays;

/**
 * When some messages of a block were published. Sequences and times ascend together, so that these
 * tell of others too: one that is younger than a message after it, or older than one before it, has
 * a sequence that was used before, by a stream that was restored from a backup or lost its memory.
 *
 * <p>Those that tell nothing new are left out: between two that lie close in time. When there are
 * too many all the same, the one that tells least goes, but none of the latest, since a stream that
 * has just begun to use sequences again does so there.
 */
final class PublishTimes {
  /** Within this a message may be the one that is completed. */
  static final long SAME_MILLIS = 160;

  /** Leaders of a stream have clocks of their own: so far a message may be out of order. */
  static final long SKEW_MILLIS = 50;

  private static final long CLOSE_MILLIS = 20;

  static final int MOST = 512;
  static final int LATEST = MOST / 2;

  private final int most;
  private int[] lows = new int[4];
  private long[] millis = new long[4];
  private int size;

  private PublishTimes(int most) {
    this.most = most;
  }

  /** Those of a block. */
  static PublishTimes bounded() {
    return new PublishTimes(MOST);
  }

  /** Those of a record, which must not say less than is known. */
  static PublishTimes unbounded() {
    return new PublishTimes(Integer.MAX_VALUE);
  }

  int size() {
    return size;
  }

  int low(int index) {
    return lows[index];
  }

  long millis(int index) {
    return millis[index];
  }

  /** When the last of them was published. */
  long last() {
    return size == 0 ? Long.MIN_VALUE : millis[size - 1];
  }

  /** Whether a message of that sequence and time can be of the stream that these tell of. */
  boolean agree(int low, long publishedMillis, long within) {
    int at = firstFrom(low);
    if (at < size) {
      boolean tooYoung = publishedMillis > millis[at] + within;
      boolean tooOld = lows[at] == low && publishedMillis < millis[at] - within;
      if (tooYoung || tooOld) {
        return false;
      }
    }
    return at == 0 || publishedMillis >= millis[at - 1] - within;
  }

  /** Whether they can be of the same stream. */
  boolean agree(PublishTimes others) {
    for (int i = 0; i < others.size; i++) {
      if (!agree(others.lows[i], others.millis[i], SKEW_MILLIS)) {
        return false;
      }
    }
    return true;
  }

  /** How far in time the nearest neighbour of such a message is. */
  long distance(int low, long publishedMillis) {
    int at = firstFrom(low);
    long after = at < size ? Math.abs(millis[at] - publishedMillis) : Long.MAX_VALUE;
    long before = at > 0 ? Math.abs(publishedMillis - millis[at - 1]) : Long.MAX_VALUE;
    return Math.min(after, before);
  }

  /** A message that agrees with the others was published then. */
  void add(int low, long publishedMillis) {
    int at = firstFrom(low);
    if (at < size && lows[at] == low) {
      return;
    }
    if (at == size && takesPlaceOfLast(publishedMillis)) {
      lows[size - 1] = low;
      millis[size - 1] = publishedMillis;
      return;
    }
    // Not out of order, by whatever little it was.
    long earliest = at > 0 ? Math.max(publishedMillis, millis[at - 1]) : publishedMillis;
    insert(at, low, at < size ? Math.min(earliest, millis[at]) : earliest);
    // From the last to the first, since the index of those before stays as it is.
    dropIfClose(at + 1);
    dropIfClose(at);
    dropIfClose(at - 1);
    if (size > most) {
      thin();
    }
  }

  /** What inserting it and dropping the one before would come to; so it is with nearly all. */
  private boolean takesPlaceOfLast(long publishedMillis) {
    return size > 1
        && publishedMillis >= millis[size - 1]
        && publishedMillis - millis[size - 2] <= CLOSE_MILLIS;
  }

  void addAll(PublishTimes others) {
    for (int i = 0; i < others.size; i++) {
      add(others.lows[i], others.millis[i]);
    }
  }

  private int firstFrom(int low) {
    if (size == 0 || lows[size - 1] < low) {
      return size;
    }
    int found = Arrays.binarySearch(lows, 0, size, low);
    return found >= 0 ? found : -found - 1;
  }

  private void insert(int at, int low, long publishedMillis) {
    if (size == lows.length) {
      lows = Arrays.copyOf(lows, 2 * size);
      millis = Arrays.copyOf(millis, 2 * size);
    }
    System.arraycopy(lows, at, lows, at + 1, size - at);
    System.arraycopy(millis, at, millis, at + 1, size - at);
    lows[at] = low;
    millis[at] = publishedMillis;
    size++;
  }

  private void dropIfClose(int index) {
    if (index > 0 && index < size - 1 && gap(index) <= CLOSE_MILLIS) {
      remove(index);
    }
  }

  private void thin() {
    int least = 1;
    for (int index = 2; index < size - LATEST; index++) {
      if (gap(index) < gap(least)) {
        least = index;
      }
    }
    remove(least);
  }

  /** What would lie between its neighbours without it. */
  private long gap(int index) {
    return millis[index + 1] - millis[index - 1];
  }

  private void remove(int index) {
    System.arraycopy(lows, index + 1, lows, index, size - index - 1);
    System.arraycopy(millis, index + 1, millis, index, size - index - 1);
    size--;
  }
}
