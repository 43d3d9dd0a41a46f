package dev.contrail.ledger.log;

import dev.contrail.ledger.SequenceSet;
import java.util.ArrayList;
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
   * @param epoch in which life of the sequences, as far as the block can tell them apart
   */
  public record Range(int epoch, long from, long to) {}

  /**
   * One block.
   *
   * @param epochs how many lives of its sequences it can tell apart
   * @param completed how many of its sequences are completed
   * @param loose how many records came since the last snapshot
   * @param lastMillis when its last record was stored
   */
  public record BlockSummary(
      BlockKey key, int epochs, long completed, long loose, long lastMillis) {}

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
   * @throws LedgerFormatException when it cannot be read
   */
  public void apply(long place, String token, byte[] record, long storedMillis) {
    records++;
    recordBytes += record.length;
    BlockKey.parse(token)
        .ifPresent(
            key ->
                completions
                    .block(key)
                    .apply(place, RecordFormat.read(record).record(), storedMillis));
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
    return blocks().stream().mapToInt(BlockSummary::epochs).max().orElse(0);
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
                    block.key(),
                    block.layers().size(),
                    block.completed(block.key().first(), block.key().last()),
                    block.sinceSnapshot(),
                    block.storedMillis()))
        .toList();
  }

  /** What is completed, by epoch, in order and as few ranges as can be. */
  public List<Range> ranges() {
    List<Range> ranges = new ArrayList<>();
    for (int epoch = 1; epoch <= epochs(); epoch++) {
      for (Block block : all()) {
        if (epoch <= block.layers().size()) {
          addRanges(ranges, epoch, block.key(), block.layers().get(epoch - 1).completed());
        }
      }
    }
    return ranges;
  }

  private static void addRanges(
      List<Range> ranges, int epoch, BlockKey key, RoaringBitmap completed) {
    PeekableIntIterator lows = completed.getIntIterator();
    while (lows.hasNext()) {
      int from = lows.next();
      int to = from;
      while (lows.hasNext() && lows.peekNext() == to + 1) {
        to = lows.next();
      }
      append(ranges, new Range(epoch, key.first() + from, key.first() + to));
    }
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
    BlockKey key = BlockKey.of(sequence);
    Block block = completions.find(key);
    List<Layer> layers = block == null ? List.of() : block.layers();
    long open = sequence;
    for (Layer layer : layers) {
      long low = layer.completed().nextAbsentValue(BlockKey.low(sequence));
      open = Math.max(open, key.first() + Math.min(low, BlockKey.LOW + 1L));
    }
    return open;
  }

  /** Has the ledger forget those of these sequences that it holds. */
  public void forget(long from, long to, int writer, Appender log) {
    for (Block block : all()) {
      if (block.completed(from, to) > 0) {
        int first = BlockKey.low(Math.max(from, block.key().first()));
        int last = BlockKey.low(Math.min(to, block.key().last()));
        log.append(block.key().forgetToken(), RecordFormat.forget(writer, first, last));
      }
    }
  }

  /**
   * The first sequence that somebody had it forget; of a range that was named, its first, whether
   * it was completed or not.
   */
  public OptionalLong firstForgotten() {
    return all().stream().flatMapToLong(block -> block.firstForgotten().stream()).min();
  }

  /** How many of these sequences it holds. */
  public long completed(long from, long to) {
    return all().stream().mapToLong(block -> block.completed(from, to)).sum();
  }

  /**
   * What is completed, as far as one life of each sequence is concerned: of a block that knows
   * several, what the one has that was published last.
   */
  public SequenceSet completedSet() {
    SequenceSet set = new SequenceSet();
    for (Block block : all()) {
      block.newest().ifPresent(layer -> set.add(block.key().first(), layer.completed()));
    }
    return set;
  }

  /** The blocks that know several lives of their sequences. */
  public List<BlockKey> renewed() {
    return all().stream().filter(block -> block.layers().size() > 1).map(Block::key).toList();
  }

  /** Whether this very message is completed. */
  public boolean isCompleted(long sequence, long publishedMillis) {
    Block block = completions.find(BlockKey.of(sequence));
    return block != null && block.contains(sequence, publishedMillis);
  }

  /** Whether the ledger knows the sequence of this message as that of another message alone. */
  public boolean contradicts(long sequence, long publishedMillis) {
    Block block = completions.find(BlockKey.of(sequence));
    return block != null && block.excludes(sequence, publishedMillis);
  }

  /** Takes when a message was published. */
  @FunctionalInterface
  public interface PublishTime {
    void published(long sequence, long millis);
  }

  /** When some of the messages were published, in order, of the life that was published last. */
  public void publishTimes(PublishTime sink) {
    for (Block block : all()) {
      block
          .newest()
          .map(Layer::times)
          .ifPresent(
              times -> {
                for (int i = 0; i < times.size(); i++) {
                  sink.published(block.key().first() + times.low(i), times.millis(i));
                }
              });
    }
  }

  private List<Block> all() {
    return completions.blocks();
  }
}
