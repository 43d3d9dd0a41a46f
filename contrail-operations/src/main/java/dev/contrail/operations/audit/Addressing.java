package dev.contrail.operations.audit;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.ledger.SequenceSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds out which messages are not for which consumer. By what is on record of others first, then
 * by the subjects of those that are there; of what is gone, the subject is not known any more.
 */
final class Addressing {
  /**
   * A consumer as far as that is concerned.
   *
   * @param takesStored whether its filter takes all that the stream holds
   */
  record Addressee(String name, Filters filters, boolean takesStored, Beginning beginning) {}

  private final List<Addressee> consumers;
  private final Map<String, SequenceSet> notAddressed = new HashMap<>();
  private final Map<String, boolean[]> bySubject = new HashMap<>();
  private final SequenceSet unclaimed = new SequenceSet();

  Addressing(List<Addressee> consumers, SequenceSet range, StreamFacts stream, Known known) {
    this.consumers = consumers;
    SequenceSet stored = range.and(stream.present());
    SequenceSet gone = range.minus(stored);
    for (Addressee consumer : consumers) {
      SequenceSet others = stored.upTo(consumer.beginning().stored() - 1);
      others.add(gone.upTo(consumer.beginning().gone() - 1));
      others.add(known.all(DeadLetterId.ORPHAN));
      if (stream.retention() == StreamFacts.Retention.WORKQUEUE) {
        addTaken(consumer, known, others);
      } else {
        addApart(consumer, known, others);
      }
      notAddressed.put(consumer.name(), others);
    }
  }

  /** A message of a workqueue is for one consumer, be it one that was deleted since. */
  private static void addTaken(Addressee consumer, Known known, SequenceSet others) {
    known.consumers().stream()
        .filter(other -> !other.equals(consumer.name()))
        .forEach(other -> others.add(known.all(other)));
  }

  private void addApart(Addressee consumer, Known known, SequenceSet others) {
    for (Addressee other : consumers) {
      if (consumer.filters().areApartFrom(other.filters())) {
        others.add(known.all(other.name()));
      }
    }
  }

  /** The messages whose subjects are to be known. */
  SequenceSet wanted(SequenceSet range, SequenceSet present, Known known) {
    SequenceSet wanted = new SequenceSet();
    for (Addressee consumer : consumers) {
      if (!consumer.takesStored()) {
        wanted.add(range.and(present).minus(known.all(consumer.name())).minus(of(consumer.name())));
      }
    }
    return wanted;
  }

  /** A message that is there has that subject. */
  void subject(long sequence, String subject) {
    boolean[] takes = takes(subject);
    boolean any = false;
    for (int i = 0; i < takes.length; i++) {
      any |= takes[i];
      if (!takes[i]) {
        of(consumers.get(i).name()).add(sequence);
      }
    }
    if (!any) {
      unclaimed.add(sequence);
    }
  }

  private boolean[] takes(String subject) {
    boolean[] known = bySubject.get(subject);
    if (known == null) {
      known = new boolean[consumers.size()];
      for (int i = 0; i < known.length; i++) {
        known[i] = consumers.get(i).filters().match(subject);
      }
      if (bySubject.size() < MOST_SUBJECTS) {
        bySubject.put(subject, known);
      }
    }
    return known;
  }

  private static final int MOST_SUBJECTS = 100_000;

  /** What is not for that consumer, as far as is known. */
  SequenceSet of(String consumer) {
    return notAddressed.computeIfAbsent(consumer, none -> new SequenceSet());
  }

  /** What is there and no consumer takes, as far as is known. */
  SequenceSet unclaimed(SequenceSet range, SequenceSet present) {
    return consumers.isEmpty() ? range.and(present) : unclaimed;
  }
}
