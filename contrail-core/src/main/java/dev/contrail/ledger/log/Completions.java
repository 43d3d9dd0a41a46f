package dev.contrail.ledger.log;

import dev.contrail.ledger.LedgerEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that is completed, by block. Blocks of which the stream holds nothing any more are put away:
 * the log keeps them for long, and memory need not.
 */
final class Completions {
  /** What is to be known of a block whose records are in the log alone. */
  record PutAway(BlockKey key, long lastPlace, long storedMillis) {}

  private final Map<BlockKey, Block> blocks = new HashMap<>();
  private final Map<BlockKey, PutAway> putAway = new HashMap<>();

  /** No block from this one on is put away: nearly every message is of one of those. */
  private long firstAtHand;

  private @Nullable Block last;

  boolean contain(LedgerEntry message) {
    Block block = find(message.sequence());
    return block != null && block.contains(message.sequence(), message.publishedMillis());
  }

  /** The block, if this message cannot be one of those that it knows: its sequence is reused. */
  @Nullable Block contradicting(LedgerEntry message) {
    Block block = find(message.sequence());
    return block != null && block.excludes(message.sequence(), message.publishedMillis())
        ? block
        : null;
  }

  /** Begins one if there is none. */
  Block block(BlockKey key) {
    return blocks.computeIfAbsent(key, Block::new);
  }

  @Nullable Block find(BlockKey key) {
    return blocks.get(key);
  }

  /** All blocks in order. */
  List<Block> blocks() {
    List<Block> sorted = new ArrayList<>(blocks.values());
    sorted.sort(Comparator.comparing(Block::key));
    return sorted;
  }

  void putAway(Block block) {
    last = null;
    blocks.remove(block.key());
    firstAtHand = Math.max(firstAtHand, block.key().number() + 1);
    putAway.put(block.key(), new PutAway(block.key(), block.lastPlace(), block.storedMillis()));
  }

  /** Whether nothing is known here of one of these messages, and the log may know it. */
  boolean isAnyPutAway(List<? extends LedgerEntry> messages) {
    if (firstAtHand == 0) {
      return false;
    }
    for (LedgerEntry message : messages) {
      if (message.sequence() >>> BlockKey.BITS < firstAtHand
          && putAway.containsKey(BlockKey.of(message.sequence()))) {
        return true;
      }
    }
    return false;
  }

  /** A record came for that block; returns whether it is put away, and stays so. */
  boolean staysAway(BlockKey key, long place, long storedMillis) {
    return putAway.computeIfPresent(key, (same, old) -> new PutAway(same, place, storedMillis))
        != null;
  }

  /** Takes those out that got no record since then. */
  List<PutAway> removePutAway(long beforeMillis) {
    List<PutAway> old =
        putAway.values().stream().filter(block -> block.storedMillis < beforeMillis).toList();
    old.forEach(block -> putAway.remove(block.key));
    return old;
  }

  void clear() {
    last = null;
    blocks.clear();
    putAway.clear();
    firstAtHand = 0;
  }

  /** Mostly the same block again and again. */
  private @Nullable Block find(long sequence) {
    Block block = last;
    if (block == null || block.key().number() != sequence >>> BlockKey.BITS) {
      block = blocks.get(BlockKey.of(sequence));
      last = block;
    }
    return block;
  }
}
