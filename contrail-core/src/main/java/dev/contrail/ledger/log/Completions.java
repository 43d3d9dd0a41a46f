package dev.contrail.ledger.log;

import dev.contrail.ledger.LedgerEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All that is completed, by block. */
final class Completions {
  private final Map<BlockKey, Block> blocks = new HashMap<>();
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

  void remove(BlockKey key) {
    last = null;
    blocks.remove(key);
  }

  void clear() {
    last = null;
    blocks.clear();
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
