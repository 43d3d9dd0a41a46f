package dev.contrail.operations.replay;

import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Status;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

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

  /** The plans whose copies are not known to be published, going by the events alone. */
  Set<String> replayingPlans() {
    return states.entrySet().stream()
        .filter(entry -> entry.getValue().status() == Status.REPLAYING)
        .map(entry -> lastReplays.get(entry.getKey()))
        .filter(Objects::nonNull)
        .map(Step.Replay::plan)
        .collect(Collectors.toSet());
  }

  Origin origin(DeadLetterId id) {
    return origins.getOrDefault(id, Origin.first(id));
  }
}
