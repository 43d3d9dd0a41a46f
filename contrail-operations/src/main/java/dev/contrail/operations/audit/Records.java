package dev.contrail.operations.audit;

import dev.contrail.event.CopyPlace;
import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.event.Fact;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Status;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.ledger.SequenceSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * What dead letters and their events tell of the messages of one stream, by consumer. Taken in one
 * after the other, the events in the order in which they are stored.
 */
final class Records {
  private final String stream;
  private final String incarnation;
  private final Map<DeadLetterId, EntryState> states = new HashMap<>();
  private final Map<DeadLetterId, Status> beforePurge = new HashMap<>();
  private final Map<String, Map<Fate, SequenceSet>> copies = new HashMap<>();
  private final Map<String, SequenceSet> heads = new HashMap<>();

  Records(String stream, String incarnation) {
    this.stream = stream;
    this.incarnation = incarnation;
  }

  /** There is such a dead letter. */
  void deadLetter(DeadLetterId id) {
    if (isOurs(id.stream(), id.incarnation())) {
      heads.computeIfAbsent(id.consumer(), none -> new SequenceSet()).add(id.sequence());
    }
  }

  void event(Event event) {
    DeadLetterId id = event.address().entry();
    if (isOurs(id.stream(), id.incarnation())) {
      EntryState before = states.getOrDefault(id, EntryState.NEW);
      EntryState after = before.after(event);
      states.put(id, after);
      if (after.status() == Status.PURGED && before.status() != Status.PURGED) {
        beforePurge.put(id, before.status());
      }
    }
    if (event.fact() instanceof Fact.Skipped skipped) {
      copy(skipped.copy(), skipped.consumer(), Fate.SKIPPED);
    } else if (event.fact() instanceof ReplayOutcome.Resolved resolved && !resolved.inferred()) {
      copy(resolved.copy(), resolved.consumer(), Fate.RESOLVED);
    }
  }

  private void copy(CopyPlace place, String consumer, Fate fate) {
    if (isOurs(place.stream(), place.incarnation())) {
      set(copies, consumer, fate).add(place.sequence());
    }
  }

  /** Sequences that were handed out again go on with a number behind the incarnation. */
  private boolean isOurs(String itsStream, String itsIncarnation) {
    return itsStream.equals(stream)
        && (itsIncarnation.equals(incarnation) || itsIncarnation.startsWith(incarnation + "-"));
  }

  /** All of it, by consumer. */
  Map<String, Map<Fate, SequenceSet>> byConsumer() {
    Map<String, Map<Fate, SequenceSet>> all = new HashMap<>();
    copies.forEach(
        (consumer, fates) -> fates.forEach((fate, set) -> set(all, consumer, fate).add(set)));
    Map<String, SequenceSet> decidedOn = new HashMap<>();
    states.forEach(
        (id, state) -> {
          Fate fate = fate(id, state.status());
          boolean head =
              heads.getOrDefault(id.consumer(), new SequenceSet()).contains(id.sequence());
          // Without the dead letter itself, an open one is evidence of nothing.
          if (fate != Fate.DEAD || head) {
            set(all, id.consumer(), fate).add(id.sequence());
            decidedOn.computeIfAbsent(id.consumer(), none -> new SequenceSet()).add(id.sequence());
          }
        });
    heads.forEach(
        (consumer, sequences) ->
            set(all, consumer, Fate.DEAD)
                .add(sequences.minus(decidedOn.getOrDefault(consumer, new SequenceSet()))));
    return all;
  }

  private Fate fate(DeadLetterId id, Status status) {
    return switch (status) {
      case OPEN -> Fate.DEAD;
      case REPLAYING, REPLAYED -> Fate.REPLAYED;
      case RESOLVED -> Fate.RESOLVED;
      case RETURNED -> Fate.RETURNED;
      case COMPLETED -> Fate.COMPLETED;
      case DISCARDED -> Fate.DISCARDED;
      case PURGED -> purged(beforePurge.getOrDefault(id, Status.OPEN), id);
    };
  }

  /** The tombstone keeps what was decided; whoever purges an open one discards it. */
  private Fate purged(Status before, DeadLetterId id) {
    return before == Status.OPEN || before == Status.PURGED ? Fate.DISCARDED : fate(id, before);
  }

  private static SequenceSet set(
      Map<String, Map<Fate, SequenceSet>> all, String consumer, Fate fate) {
    return all.computeIfAbsent(consumer, none -> new EnumMap<>(Fate.class))
        .computeIfAbsent(fate, none -> new SequenceSet());
  }
}
