package dev.contrail.operations.audit;

import dev.contrail.ledger.SequenceSet;
import dev.contrail.ledger.log.BlockKey;
import dev.contrail.ledger.log.LedgerView;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Takes out of what is processed what was so in an earlier life of its sequence: a stream that was
 * restored from a backup, or kept in memory, hands sequences out again. One message of each block
 * of a ledger is read, the last that is there up to the last that is completed: if any was handed
 * out again, that one was.
 */
final class Reuse {
  private final StoredMessages messages;
  private final SequenceSet range;
  private final SequenceSet present;
  private OptionalLong first = OptionalLong.empty();

  Reuse(StoredMessages messages, SequenceSet range, SequenceSet present) {
    this.messages = messages;
    this.range = range;
    this.present = present;
  }

  /** The first sequence that was found to be handed out again. */
  OptionalLong first() {
    return first;
  }

  /** The same ledgers' completions, of the messages that the stream has or had last. */
  Known without(Known known) throws InterruptedException {
    for (Map.Entry<String, List<LedgerView>> ledgers : known.ledgers().entrySet()) {
      SequenceSet completed = new SequenceSet();
      for (LedgerView view : ledgers.getValue()) {
        completed.add(ofThisLife(view));
      }
      known
          .onRecord()
          .computeIfAbsent(ledgers.getKey(), none -> new EnumMap<>(Fate.class))
          .put(Fate.PROCESSED, completed);
    }
    return known;
  }

  private SequenceSet ofThisLife(LedgerView view) throws InterruptedException {
    SequenceSet completed = view.completedSet();
    SequenceSet doubtful = new SequenceSet();
    view.renewed().forEach(block -> doubtful.add(block.first(), block.last()));
    contradicted(view, completed).forEach(block -> doubtful.add(block.first(), block.last()));
    if (doubtful.isEmpty()) {
      return completed;
    }
    SequenceSet there = doubtful.and(present).and(range);
    SequenceSet sure = completed.minus(there);
    SequenceSet contradicting = new SequenceSet();
    messages.read(
        there,
        (sequence, subject, published) -> {
          long millis = published.toEpochMilli();
          if (view.isCompleted(sequence, millis)) {
            sure.add(sequence);
          } else if (view.contradicts(sequence, millis)) {
            contradicting.add(sequence);
          }
        },
        (done, of) -> {});
    if (contradicting.isEmpty()) {
      return sure;
    }
    long again = contradicting.first().getAsLong();
    first = OptionalLong.of(Math.min(again, first.orElse(again)));
    // Of what is gone from there on, nobody knows which life it was completed in.
    SequenceSet old = doubtful.beyond(again).minus(there);
    return sure.minus(old);
  }

  private List<BlockKey> contradicted(LedgerView view, SequenceSet completed)
      throws InterruptedException {
    Map<Long, BlockKey> samples = new HashMap<>();
    SequenceSet wanted = new SequenceSet();
    for (LedgerView.BlockSummary block : view.blocks()) {
      BlockKey key = block.key();
      OptionalLong sample = completed.lastUpTo(key.last());
      sample = sample.isPresent() ? present.lastUpTo(sample.getAsLong()) : sample;
      if (sample.isPresent() && sample.getAsLong() >= key.first()) {
        samples.put(sample.getAsLong(), key);
        wanted.add(sample.getAsLong());
      }
    }
    Map<Long, BlockKey> contradicted = new HashMap<>();
    messages.read(
        wanted.and(range),
        (sequence, subject, published) -> {
          BlockKey key = samples.get(sequence);
          if (key != null && view.contradicts(sequence, published.toEpochMilli())) {
            contradicted.put(sequence, key);
          }
        },
        (done, of) -> {});
    return List.copyOf(contradicted.values());
  }
}
