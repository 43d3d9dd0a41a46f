package dev.contrail.ledger;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import org.roaringbitmap.RoaringBitmap;

/**
 * Sequences of a stream, many of which may lie side by side: ten million in a row take a few
 * kilobytes. Grows by {@link #add}; all else leaves it as it is. Not thread-safe.
 */
public final class SequenceSet {
  private static final int BITS = 32;
  private static final long LOW = (1L << BITS) - 1;

  /** By the upper half of the sequence, and none of them empty. */
  private final NavigableMap<Long, RoaringBitmap> parts = new TreeMap<>();

  /** Sequences from one to another, both meant. */
  public record Range(long from, long to) {
    /** How many they are. */
    public long count() {
      return to - from + 1;
    }
  }

  /** Those from one to another; none when the last comes before the first. */
  public static SequenceSet of(long from, long to) {
    SequenceSet set = new SequenceSet();
    set.add(from, to);
    return set;
  }

  /** Adds one. */
  public void add(long sequence) {
    part(sequence >>> BITS).add((int) sequence);
  }

  /** Adds those from one to another; none when the last comes before the first. */
  public void add(long from, long to) {
    for (long start = from; start <= to; start = (start | LOW) + 1) {
      long end = Math.min(to, start | LOW);
      part(start >>> BITS).add(start & LOW, (end & LOW) + 1);
    }
  }

  /** Adds all of the other. */
  public void add(SequenceSet other) {
    other.parts.forEach((high, part) -> part(high).or(part));
  }

  /**
   * Adds what lies in a bitmap.
   *
   * @param first the sequence that its zero stands for; a multiple of 65,536
   */
  public void add(long first, RoaringBitmap lows) {
    if (!lows.isEmpty()) {
      part(first >>> BITS).or(RoaringBitmap.addOffset(lows, first & LOW));
    }
  }

  private RoaringBitmap part(long high) {
    return parts.computeIfAbsent(high, none -> new RoaringBitmap());
  }

  public boolean contains(long sequence) {
    RoaringBitmap part = parts.get(sequence >>> BITS);
    return part != null && part.contains((int) sequence);
  }

  public boolean isEmpty() {
    return parts.isEmpty();
  }

  /** How many there are. */
  public long count() {
    return parts.values().stream().mapToLong(RoaringBitmap::getLongCardinality).sum();
  }

  /** The least of all. */
  public OptionalLong first() {
    Map.Entry<Long, RoaringBitmap> part = parts.firstEntry();
    return part == null
        ? OptionalLong.empty()
        : OptionalLong.of(sequence(part.getKey(), part.getValue().first()));
  }

  /** The greatest of all. */
  public OptionalLong last() {
    Map.Entry<Long, RoaringBitmap> part = parts.lastEntry();
    return part == null
        ? OptionalLong.empty()
        : OptionalLong.of(sequence(part.getKey(), part.getValue().last()));
  }

  /** The greatest that is not beyond that sequence. */
  public OptionalLong lastUpTo(long sequence) {
    RoaringBitmap part = parts.get(sequence >>> BITS);
    long low = part == null ? -1 : part.previousValue((int) sequence);
    if (low >= 0) {
      return OptionalLong.of((sequence >>> BITS << BITS) + low);
    }
    Map.Entry<Long, RoaringBitmap> before = parts.lowerEntry(sequence >>> BITS);
    return before == null
        ? OptionalLong.empty()
        : OptionalLong.of(sequence(before.getKey(), before.getValue().last()));
  }

  /**
   * The one before which so many others are.
   *
   * @throws IndexOutOfBoundsException when there are not more than that
   */
  public long at(long rank) {
    long left = rank;
    for (Map.Entry<Long, RoaringBitmap> part : parts.entrySet()) {
      long count = part.getValue().getLongCardinality();
      if (left < count) {
        return sequence(part.getKey(), part.getValue().select((int) left));
      }
      left -= count;
    }
    throw new IndexOutOfBoundsException("rank " + rank + " of " + count());
  }

  /** What is in both. */
  public SequenceSet and(SequenceSet other) {
    return combined(other, (one, another) -> RoaringBitmap.and(one, another));
  }

  /** What is in this one alone. */
  public SequenceSet minus(SequenceSet other) {
    return combined(other, (one, another) -> RoaringBitmap.andNot(one, another));
  }

  private SequenceSet combined(SequenceSet other, BinaryOperator<RoaringBitmap> how) {
    SequenceSet result = new SequenceSet();
    parts.forEach(
        (high, part) -> {
          RoaringBitmap both = how.apply(part, other.parts.getOrDefault(high, new RoaringBitmap()));
          if (!both.isEmpty()) {
            both.runOptimize();
            result.parts.put(high, both);
          }
        });
    return result;
  }

  /** Those that are not beyond that sequence. */
  public SequenceSet upTo(long sequence) {
    return isEmpty() ? new SequenceSet() : and(of(0, sequence));
  }

  /** Those beyond that sequence. */
  public SequenceSet beyond(long sequence) {
    OptionalLong last = last();
    return last.isEmpty() ? new SequenceSet() : and(of(sequence + 1, last.getAsLong()));
  }

  /** The greatest so many of them; all, when there are fewer. */
  public SequenceSet greatest(long count) {
    long all = count();
    if (count <= 0) {
      return new SequenceSet();
    }
    return count >= all ? and(this) : beyond(at(all - count) - 1);
  }

  /** In order, and as few as can be. */
  public List<Range> ranges() {
    List<Range> ranges = new ArrayList<>();
    parts.forEach((high, part) -> addRanges(ranges, high << BITS, part));
    return ranges;
  }

  private static void addRanges(List<Range> ranges, long base, RoaringBitmap part) {
    long from = part.nextValue(0);
    while (from >= 0) {
      long end = part.nextAbsentValue((int) from);
      long to = end < 0 ? LOW : end - 1;
      append(ranges, base + from, base + to);
      from = to == LOW ? -1 : part.nextValue((int) (to + 1));
    }
  }

  private static void append(List<Range> ranges, long from, long to) {
    int last = ranges.size() - 1;
    if (last >= 0 && ranges.get(last).to + 1 == from) {
      ranges.set(last, new Range(ranges.get(last).from, to));
    } else {
      ranges.add(new Range(from, to));
    }
  }

  private static long sequence(long high, int low) {
    return (high << BITS) + (low & LOW);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SequenceSet set && parts.equals(set.parts);
  }

  @Override
  public int hashCode() {
    return parts.hashCode();
  }

  @Override
  public String toString() {
    return ranges().toString();
  }
}
