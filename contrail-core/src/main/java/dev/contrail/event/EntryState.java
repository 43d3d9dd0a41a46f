package dev.contrail.event;

import dev.contrail.evidence.DeadLetterId;
import java.util.Optional;

/**
 * What the events of a dead letter add up to. Immutable; events are taken in the order in which
 * they are stored, and one that is taken twice changes nothing.
 *
 * @param lastStep the number of the newest step, 0 where none was taken
 * @param version the newest version of the payload, 0 where it was never edited
 * @param returnedAs the dead letter that takes its place, if it was returned
 */
public record EntryState(
    Status status, int lastStep, int version, Optional<DeadLetterId> returnedAs) {
  /** Of a dead letter without events. */
  public static final EntryState NEW = new EntryState(Status.OPEN, 0, 0, Optional.empty());

  /** The state after one more event. */
  public EntryState after(Event event) {
    int step = event.address().step();
    if (event.fact() instanceof Step taken) {
      return step > lastStep ? taken(step, taken) : this;
    }
    if (event.fact() instanceof ReplayOutcome outcome) {
      return isUnderWay(step) ? ended(outcome) : this;
    }
    // Whoever runs or skips a copy has met it.
    return event.fact() instanceof Fact.Note ? this : published(step);
  }

  /** The state when it is known as well that the copy of that step is published. */
  public EntryState published(int step) {
    return isUnderWay(step) ? with(Status.REPLAYED) : this;
  }

  /** Whether a replay is the newest thing that was decided, and has no outcome. */
  public boolean isReplayUnderWay() {
    return status == Status.REPLAYING || status == Status.REPLAYED;
  }

  private boolean isUnderWay(int step) {
    return step == lastStep && isReplayUnderWay();
  }

  private EntryState taken(int step, Step taken) {
    int newest = taken instanceof Step.Edited edited ? edited.version() : version;
    return new EntryState(
        LegalSteps.statusAfter(status, taken.stepKind()), step, newest, returnedAs);
  }

  private EntryState ended(ReplayOutcome outcome) {
    if (outcome instanceof ReplayOutcome.Returned returned) {
      return new EntryState(Status.RETURNED, lastStep, version, Optional.of(returned.as()));
    }
    return with(outcome instanceof ReplayOutcome.Resolved ? Status.RESOLVED : Status.OPEN);
  }

  private EntryState with(Status changed) {
    return new EntryState(changed, lastStep, version, returnedAs);
  }
}
