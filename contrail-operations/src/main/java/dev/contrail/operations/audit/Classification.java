package dev.contrail.operations.audit;

import dev.contrail.ledger.SequenceSet;
import dev.contrail.operations.audit.StreamFacts.Retention;
import java.util.EnumMap;
import java.util.Map;

/** What became of each message of a range, for one consumer. Every sequence has one fate. */
final class Classification {
  private final Map<Fate, SequenceSet> fates;

  private Classification(Map<Fate, SequenceSet> fates) {
    this.fates = fates;
  }

  /** Goes from what is certain to what is left. */
  static Classification of(SequenceSet range, StreamFacts stream, ConsumerFacts consumer) {
    Map<Fate, SequenceSet> fates = new EnumMap<>(Fate.class);
    SequenceSet rest = range;
    for (Fate fate : Fate.values()) {
      SequenceSet told = consumer.onRecord().getOrDefault(fate, new SequenceSet());
      fates.put(fate, rest.and(told));
      rest = rest.minus(told);
    }
    add(fates, Fate.NOT_ADDRESSED, rest.and(consumer.notAddressed()));
    rest = rest.minus(consumer.notAddressed());

    SequenceSet present = rest.and(stream.present());
    SequenceSet open = present;
    if (consumer.position().isPresent()) {
      ConsumerFacts.Position position = consumer.position().get();
      SequenceSet waiting = present.beyond(position.delivered());
      // That many are in flight, and the newest are the likeliest: which, the server does not tell.
      SequenceSet inFlight =
          present.minus(waiting).beyond(position.ackFloor()).greatest(position.inFlight());
      add(fates, Fate.WAITING, waiting);
      add(fates, Fate.IN_FLIGHT, inFlight);
      open = present.minus(waiting).minus(inFlight);
    }
    // From a workqueue whatever is acknowledged goes, so what stays was given up.
    boolean stranded = stream.retention() == Retention.WORKQUEUE;
    add(fates, stranded ? Fate.ORPHANED : Fate.UNACCOUNTED, open);
    add(fates, Fate.UNACCOUNTED, rest.minus(present));
    return new Classification(fates);
  }

  private static void add(Map<Fate, SequenceSet> fates, Fate fate, SequenceSet more) {
    fates.computeIfAbsent(fate, none -> new SequenceSet()).add(more);
  }

  SequenceSet of(Fate fate) {
    return fates.getOrDefault(fate, new SequenceSet());
  }

  /** Whether the server has to be asked once more. */
  boolean isDoubtful() {
    return !doubtful().isEmpty();
  }

  private SequenceSet doubtful() {
    SequenceSet doubtful = new SequenceSet();
    for (Fate fate : Fate.values()) {
      if (fate.isDoubtful()) {
        doubtful.add(of(fate));
      }
    }
    return doubtful;
  }

  /**
   * What holds when this was found after the other, of the same range. Messages move on meanwhile:
   * what was fine at first stays so, and doubts are kept that remain.
   */
  Classification after(Classification first) {
    SequenceSet news = doubtful().minus(first.doubtful());
    Map<Fate, SequenceSet> agreed = new EnumMap<>(Fate.class);
    for (Fate fate : Fate.values()) {
      SequenceSet kept = of(fate).minus(news);
      kept.add(first.of(fate).and(news));
      agreed.put(fate, kept);
    }
    return new Classification(agreed);
  }
}
