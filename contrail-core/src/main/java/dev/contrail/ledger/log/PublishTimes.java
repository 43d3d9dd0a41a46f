package dev.contrail.ledger.log;

import java.util.Arrays;

/**
 * What the completed messages of a block tell of when its messages were published: a message is not
 * younger than one that came after it. One that is has a sequence that was used before, by a stream
 * that was restored from a backup or lost its memory.
 *
 * <p>Kept as steps, each a sequence and the time until which it and all before it had been
 * published, both ascending; when there are too many, the step that tells least goes.
 */
final class PublishTimes {
  /**
   * Leaders of a stream have clocks of their own; a stream is not lost and refilled within this.
   */
  static final long SKEW_MILLIS = 200;

  static final int MOST_STEPS = 32;

  private long[] sequences = new long[4];
  private long[] millis = new long[4];
  private int size;

  int size() {
    return size;
  }

  long sequence(int step) {
    return sequences[step];
  }

  long millis(int step) {
    return millis[step];
  }

  /** A message of that sequence was published then, and no other with it later. */
  void add(long sequence, long publishedMillis) {
    int at = firstFrom(sequence);
    if (at < size && millis[at] <= publishedMillis) {
      return;
    }
    int replaced = at < size && sequences[at] == sequence ? at + 1 : at;
    int from = at;
    while (from > 0 && millis[from - 1] >= publishedMillis) {
      from--;
    }
    insert(from, replaced, sequence, publishedMillis);
    if (size > MOST_STEPS) {
      thin();
    }
  }

  void addAll(PublishTimes others) {
    for (int step = 0; step < others.size; step++) {
      add(others.sequences[step], others.millis[step]);
    }
  }

  /** Whether a message with that sequence and time cannot be of the stream that these tell of. */
  boolean exclude(long sequence, long publishedMillis) {
    int at = firstFrom(sequence);
    return at < size && publishedMillis > millis[at] + SKEW_MILLIS;
  }

  private int firstFrom(long sequence) {
    if (size == 0 || sequences[size - 1] < sequence) {
      return size;
    }
    int found = Arrays.binarySearch(sequences, 0, size, sequence);
    return found >= 0 ? found : -found - 1;
  }

  /** Puts a step in place of those from {@code from} to before {@code to}. */
  private void insert(int from, int to, long sequence, long publishedMillis) {
    int newSize = size - (to - from) + 1;
    if (newSize > sequences.length) {
      sequences = Arrays.copyOf(sequences, 2 * sequences.length);
      millis = Arrays.copyOf(millis, 2 * millis.length);
    }
    System.arraycopy(sequences, to, sequences, from + 1, size - to);
    System.arraycopy(millis, to, millis, from + 1, size - to);
    sequences[from] = sequence;
    millis[from] = publishedMillis;
    size = newSize;
  }

  /** Drops the step whose successor says nearly the same. */
  private void thin() {
    int least = 0;
    for (int step = 1; step < size - 1; step++) {
      if (millis[step + 1] - millis[step] < millis[least + 1] - millis[least]) {
        least = step;
      }
    }
    System.arraycopy(sequences, least + 1, sequences, least, size - least - 1);
    System.arraycopy(millis, least + 1, millis, least, size - least - 1);
    size--;
  }
}
