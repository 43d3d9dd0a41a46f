package dev.contrail.event;

import static dev.contrail.event.Status.COMPLETED;
import static dev.contrail.event.Status.DISCARDED;
import static dev.contrail.event.Status.OPEN;
import static dev.contrail.event.Status.PURGED;
import static dev.contrail.event.Status.REPLAYED;
import static dev.contrail.event.Status.REPLAYING;
import static dev.contrail.event.Status.RESOLVED;
import static dev.contrail.event.Status.RETURNED;

import dev.contrail.event.Step.Kind;
import java.util.EnumMap;
import java.util.Map;

/** The one table of which step may be taken when, and where it leads. */
public final class LegalSteps {
  /** Whether a step may be taken. */
  public enum Answer {
    YES,
    /** Only by somebody who insists: it may repeat what is under way, or delete what is open. */
    IF_FORCED,
    NO
  }

  private static final Map<Status, Map<Kind, Answer>> TABLE = new EnumMap<>(Status.class);

  static {
    allow(OPEN, Kind.REPLAY, Answer.YES);
    allow(OPEN, Kind.DISCARDED, Answer.YES);
    allow(OPEN, Kind.EDITED, Answer.YES);
    allow(OPEN, Kind.COMPLETED, Answer.YES);
    allow(OPEN, Kind.PURGED, Answer.IF_FORCED);

    // A copy may come of it yet: nothing but giving it up, knowingly.
    allow(REPLAYING, Kind.DISCARDED, Answer.IF_FORCED);

    allow(REPLAYED, Kind.REPLAY, Answer.IF_FORCED);
    allow(REPLAYED, Kind.DISCARDED, Answer.IF_FORCED);
    allow(REPLAYED, Kind.PURGED, Answer.IF_FORCED);

    allow(RESOLVED, Kind.RESTORED, Answer.IF_FORCED);
    allow(RESOLVED, Kind.PURGED, Answer.YES);
    allow(RETURNED, Kind.PURGED, Answer.YES);

    allow(COMPLETED, Kind.RESTORED, Answer.YES);
    allow(COMPLETED, Kind.PURGED, Answer.YES);
    allow(DISCARDED, Kind.RESTORED, Answer.YES);
    allow(DISCARDED, Kind.PURGED, Answer.YES);

    // Says where an entry came from, whatever its own history is.
    for (Status status : Status.values()) {
      allow(status, Kind.IMPORTED, Answer.YES);
    }
  }

  private LegalSteps() {}

  /** Whether that step may be taken on a dead letter in that state. */
  public static Answer answer(Status status, Kind step) {
    return TABLE.getOrDefault(status, Map.of()).getOrDefault(step, Answer.NO);
  }

  /** The same, when it is known as well what became of replays. */
  public static Answer answer(EntryState state, Kind step) {
    Answer answer = answer(state.status(), step);
    // Open again, it would be replayed beside a copy that was processed or may be yet.
    return step == Kind.RESTORED && answer == Answer.YES && state.replay().isPresent()
        ? Answer.IF_FORCED
        : answer;
  }

  /** The state that the step leads to, whoever took it and whether it was legal or not. */
  static Status statusAfter(Status status, Kind step) {
    return switch (step) {
      case REPLAY -> REPLAYING;
      case DISCARDED -> DISCARDED;
      case RESTORED -> OPEN;
      case COMPLETED -> COMPLETED;
      case PURGED -> PURGED;
      case EDITED -> status;
      case IMPORTED -> status == PURGED ? OPEN : status;
    };
  }

  private static void allow(Status status, Kind step, Answer answer) {
    TABLE.computeIfAbsent(status, any -> new EnumMap<>(Kind.class)).put(step, answer);
  }
}
