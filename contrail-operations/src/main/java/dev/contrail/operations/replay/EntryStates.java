package dev.contrail.operations.replay;

import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import java.util.HashMap;
import java.util.Map;

/**
 * How it stands with dead letters, and where they stand in chains of replays: the sum of their
 * events, which are to be taken in the order in which they are stored.
 */
final class EntryStates {
  private final Map<DeadLetterId, EntryState> states = new HashMap<>();
  private final Map<DeadLetterId, Origin> origins = new HashMap<>();
  private final Map<DeadLetterId, Origin> originsBefore = new HashMap<>();
  private final Map<DeadLetterId, Step.Replay> lastReplays = new HashMap<>();

  void add(Event event) {
    DeadLetterId entry = event.address().entry();
    states.merge(entry, EntryState.NEW.after(event), (before, first) -> before.after(event));
    if (event.fact() instanceof Step.Replay replay) {
      lastReplays.put(entry, replay);
      originsBefore.put(entry, origin(entry));
      origins.put(entry, new Origin(replay.root(), replay.count()));
    } else if (event.fact() instanceof ReplayOutcome.Failed) {
      // What was never published is no replay.
      origins.put(entry, originsBefore.getOrDefault(entry, Origin.first(entry)));
    } else if (event.fact() instanceof ReplayOutcome.Returned returned
        && lastReplays.containsKey(entry)) {
      Step.Replay replay = lastReplays.get(entry);
      origins.put(returned.as(), new Origin(replay.root(), replay.count()));
    }
  }

  EntryState state(DeadLetterId id) {
    return states.getOrDefault(id, EntryState.NEW);
  }

  Origin origin(DeadLetterId id) {
    return origins.getOrDefault(id, Origin.first(id));
  }
}
