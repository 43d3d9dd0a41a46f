package dev.contrail.operations.audit;

import dev.contrail.ledger.SequenceSet;
import dev.contrail.ledger.log.LedgerView;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * What ledgers, dead letters and events hold of a stream.
 *
 * @param ledgers by consumer; several where one was begun anew on purpose
 * @param onRecord by consumer
 */
record Known(Map<String, List<LedgerView>> ledgers, Map<String, Map<Fate, SequenceSet>> onRecord) {
  /** The same with what the ledgers hold as processed. */
  static Known of(Map<String, List<LedgerView>> ledgers, Map<String, Map<Fate, SequenceSet>> told) {
    Map<String, Map<Fate, SequenceSet>> all = new HashMap<>(told);
    ledgers.forEach(
        (consumer, views) -> {
          SequenceSet completed = new SequenceSet();
          views.forEach(view -> completed.add(view.completedSet()));
          all.computeIfAbsent(consumer, none -> new EnumMap<>(Fate.class))
              .put(Fate.PROCESSED, completed);
        });
    return new Known(ledgers, all);
  }

  /**
   * The first that a consumer was given, by what is on record of it.
   *
   * @param forgottenToo whether what its ledgers were told to forget counts
   */
  OptionalLong oldest(String consumer, boolean forgottenToo) {
    LongStream forgotten =
        forgottenToo
            ? ledgers.getOrDefault(consumer, List.of()).stream()
                .flatMapToLong(it -> it.firstForgotten().stream())
            : LongStream.empty();
    return LongStream.concat(all(consumer).first().stream(), forgotten).min();
  }

  boolean hasLedger(String consumer) {
    return ledgers.containsKey(consumer);
  }

  Map<Fate, SequenceSet> of(String consumer) {
    return onRecord.getOrDefault(consumer, Map.of());
  }

  /** Whatever there is a record of for that consumer. */
  SequenceSet all(String consumer) {
    SequenceSet all = new SequenceSet();
    of(consumer).values().forEach(all::add);
    return all;
  }

  Set<String> consumers() {
    return onRecord.keySet();
  }
}
