package dev.contrail.ledger.log;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import org.roaringbitmap.PeekableIntIterator;
import org.roaringbitmap.RoaringBitmap;

/** What a log adds up to, for people who look at it. Not thread-safe. */
public final class LedgerView {
  private final Completions completions = new Completions();
  private long records;
  private long recordBytes;

  /**
   * Sequences from one to another, both meant.
   *
   * @param epoch in which life of the sequences
   */
  public record Range(int epoch, long from, long to) {}

  /**
   * One block.
   *
   * @param completed how many of its sequences are completed
   * @param loose how many records came since the last snapshot
   * @param lastMillis when its last record was stored
   */
  public record BlockSummary(BlockKey key, long completed, long loose, long lastMillis) {}

  /** Appends a record to the log. */
  @FunctionalInterface
  public interface Appender {
    /**
     * Appends it.
     *
     * @param token the end of its subject
     */
    void append(String token, byte[] record);
  }

  /**
   * Takes in the next record.
   *
   * @return false when one was missed meanwhile: begin anew with another view
   * @throws LedgerFormatException when it cannot be read
   */
  public boolean apply(long place, String token, byte[] record, long storedMillis) {
    records++;
    recordBytes += record.length;
    return BlockKey.parse(token)
        .map(
            key ->
                completions
                    .block(key)
                    .apply(place, RecordFormat.read(key, record).record(), storedMillis))
        .orElse(true);
  }

  /** How many records it is made of. */
  public long records() {
    return records;
  }

  /** How many bytes they hold. */
  public long recordBytes() {
    return recordBytes;
  }

  /** How many epochs there are; more than one when sequences were handed out again. */
  public int epochs() {
    return completions.epochs();
  }

  /** How many completions there are. */
  public long completed() {
    return blocks().stream().mapToLong(BlockSummary::completed).sum();
  }

  /** Its blocks in order. */
  public List<BlockSummary> blocks() {
    return all().stream()
        .map(
            block ->
                new BlockSummary(
                    block.key(), block.size(), block.sinceSnapshot(), block.storedMillis()))
        .toList();
  }

  /** What is completed, in order and as few ranges as can be. */
  public List<Range> ranges() {
    List<Range> ranges = new ArrayList<>();
    for (Block block : all()) {
      int epoch = block.key().epoch();
      PeekableIntIterator lows = block.completed().getIntIterator();
      while (lows.hasNext()) {
        long from = block.key().first() + lows.next();
        long to = from;
        while (lows.hasNext() && block.key().first() + lows.peekNext() == to + 1) {
          to = block.key().first() + lows.next();
        }
        append(ranges, new Range(epoch, from, to));
      }
    }
    return ranges;
  }

  private static void append(List<Range> ranges, Range next) {
    int last = ranges.size() - 1;
    if (last >= 0 && ranges.get(last).epoch == next.epoch && ranges.get(last).to + 1 == next.from) {
      ranges.set(last, new Range(next.epoch, ranges.get(last).from, next.to));
    } else {
      ranges.add(next);
    }
  }

  /** The first sequence from {@code first} to {@code last} that is not completed, in any epoch. */
  public OptionalLong firstOpen(long first, long last) {
    long sequence = first;
    while (sequence <= last) {
      long next = afterCompleted(sequence);
      if (next == sequence) {
        return OptionalLong.of(sequence);
      }
      sequence = next;
    }
    return OptionalLong.empty();
  }

  /** The first after {@code sequence} that its block does not have, or itself. */
  private long afterCompleted(long sequence) {
    long open = sequence;
    for (Block block : all()) {
      if (block.key().number() == sequence >>> BlockKey.BITS) {
        RoaringBitmap completed = block.completed();
        long low = completed.nextAbsentValue((int) (sequence & BlockKey.LOW));
        open = Math.max(open, block.key().first() + Math.min(low, BlockKey.LOW + 1L));
      }
    }
    return open;
  }

  /** Has the ledger forget those of these sequences that it holds. */
  public void forget(long from, long to, int writer, Appender log) {
    for (Block block : all()) {
      long first = Math.max(from, block.key().first());
      long last = Math.min(to, block.key().last());
      if (first <= last && count(block, first, last) > 0) {
        log.append(
            block.key().token(),
            RecordFormat.forget(writer, (int) (first & BlockKey.LOW), (int) (last & BlockKey.LOW)));
      }
    }
  }

  /** How many of these sequences it holds. */
  public long completed(long from, long to) {
    return all().stream()
        .mapToLong(
            block -> {
              long first = Math.max(from, block.key().first());
              long last = Math.min(to, block.key().last());
              return first > last ? 0 : count(block, first, last);
            })
        .sum();
  }

  private static long count(Block block, long first, long last) {
    return block.completed().rangeCardinality(first & BlockKey.LOW, (last & BlockKey.LOW) + 1);
  }

  private Collection<Block> all() {
    return completions.blocks();
  }
}
