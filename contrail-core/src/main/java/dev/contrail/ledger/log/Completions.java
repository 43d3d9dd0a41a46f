package dev.contrail.ledger.log;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All that is completed, by epoch and block. */
final class Completions {
  private final List<Map<Long, Block>> epochs = new ArrayList<>();
  private @Nullable Block last;

  int epochs() {
    return epochs.size();
  }

  /**
   * To which epoch a message belongs: the first that does not speak against it. One more than there
   * are when all do: its stream has begun to hand out sequences again.
   */
  int epochOf(long sequence, long publishedMillis) {
    int epoch = BlockKey.FIRST_EPOCH;
    while (epoch <= epochs.size() && excludes(epoch, sequence, publishedMillis)) {
      epoch++;
    }
    return epoch;
  }

  boolean contains(long sequence, long publishedMillis) {
    int epoch = epochOf(sequence, publishedMillis);
    Block block = find(epoch, sequence);
    return block != null && block.contains(sequence);
  }

  Block block(BlockKey key) {
    while (epochs.size() < key.epoch()) {
      epochs.add(new HashMap<>());
    }
    return epochs.get(key.epoch() - 1).computeIfAbsent(key.number(), number -> new Block(key));
  }

  /** All blocks in order. */
  Collection<Block> blocks() {
    Map<BlockKey, Block> sorted = new TreeMap<>();
    for (Map<Long, Block> epoch : epochs) {
      for (Block block : epoch.values()) {
        sorted.put(block.key(), block);
      }
    }
    return sorted.values();
  }

  void remove(BlockKey key) {
    last = null;
    if (key.epoch() <= epochs.size()) {
      epochs.get(key.epoch() - 1).remove(key.number());
    }
  }

  void clear() {
    last = null;
    epochs.clear();
  }

  private boolean excludes(int epoch, long sequence, long publishedMillis) {
    Block block = find(epoch, sequence);
    return block != null && block.excludes(sequence, publishedMillis);
  }

  /** Mostly the same block again and again. */
  private @Nullable Block find(int epoch, long sequence) {
    long number = sequence >>> BlockKey.BITS;
    Block block = last;
    if (block == null || block.key().number() != number || block.key().epoch() != epoch) {
      block = epoch <= epochs.size() ? epochs.get(epoch - 1).get(number) : null;
      last = block;
    }
    return block;
  }
}
