package dev.contrail.operations;

import dev.contrail.ledger.SequenceSet;
import dev.contrail.ledger.log.LedgerView;
import java.time.Instant;
import java.util.List;

/** What a consumer has completed of a stream as it is now, by its ledgers. */
public final class Completions {
  public static final Completions NONE = new Completions(List.of());

  private final List<LedgerView> ledgers;
  private final SequenceSet all = new SequenceSet();

  Completions(List<LedgerView> ledgers) {
    this.ledgers = List.copyOf(ledgers);
    ledgers.forEach(it -> all.add(it.completedSet()));
  }

  /** The sequences of which a message is completed. */
  public SequenceSet sequences() {
    SequenceSet copy = new SequenceSet();
    copy.add(all);
    return copy;
  }

  /** Whether a message of that sequence is completed; perhaps another than is there now. */
  public boolean contains(long sequence) {
    return all.contains(sequence);
  }

  /** Whether the very message is completed, and not one that had its sequence before. */
  public boolean contains(long sequence, Instant publishedAt) {
    long millis = publishedAt.toEpochMilli();
    return ledgers.stream().anyMatch(it -> it.isCompleted(sequence, millis));
  }
}
