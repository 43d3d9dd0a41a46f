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
 * @param replay the newest replay, whatever was decided since; empty where there was none, or it
 *     was never published
 */
public record EntryState(
    Status status,
    int lastStep,
    int version,
    Optional<DeadLetterId> returnedAs,
    Optional<Replay> replay) {
  /** Of a dead letter without events. */
  public static final EntryState NEW = new EntryState(Status.OPEN, 0, 0, Optional.empty());

  /** Of one that was not replayed. */
  public EntryState(Status status, int lastStep, int version, Optional<DeadLetterId> returnedAs) {
    this(status, lastStep, version, returnedAs, Optional.empty());
  }

  /**
   * A replay of which a copy was published, or may be yet.
   *
   * @param step its number
   * @param ended whether the copy was processed or died; while it was not, it may be yet
   */
  public record Replay(int step, boolean ended) {}

  /** The state after one more event. */
  public EntryState after(Event event) {
    int step = event.address().step();
    if (event.fact() instanceof Step taken) {
      return step > lastStep ? taken(step, taken) : this;
    }
    if (event.fact() instanceof ReplayOutcome outcome) {
      boolean awaited = replay.filter(it -> it.step() == step && !it.ended()).isPresent();
      return awaited ? ended(step, outcome) : this;
    }
    // Whoever runs or skips a copy has met it; that somebody means to publish one is no copy yet.
    boolean met = event.fact() instanceof Fact.Run || event.fact() instanceof Fact.Skipped;
    return met ? published(step) : this;
  }

  /** The state when it is known as well that the copy of that step is published. */
  public EntryState published(int step) {
    return isUnderWay(step) ? with(Status.REPLAYED) : this;
  }

  /** Whether a replay has no outcome, and was not given up. */
  public boolean isReplayUnderWay() {
    return status == Status.REPLAYING || status == Status.REPLAYED;
  }

  private boolean isUnderWay(int step) {
    return isReplayUnderWay() && replay.filter(it -> it.step() == step).isPresent();
  }

  private EntryState taken(int step, Step taken) {
    int newest = taken instanceof Step.Edited edited ? edited.version() : version;
    return new EntryState(
        LegalSteps.statusAfter(status, taken.stepKind()),
        step,
        newest,
        returnedAs,
        taken instanceof Step.Replay ? Optional.of(new Replay(step, false)) : replay);
  }

  /** What was decided after the replay stands; how that ended is kept beside it. */
  private EntryState ended(int step, ReplayOutcome outcome) {
    Optional<Replay> ended = Optional.of(new Replay(step, true));
    if (outcome instanceof ReplayOutcome.Failed) {
      return new EntryState(
          isReplayUnderWay() ? Status.OPEN : status,
          lastStep,
          version,
          returnedAs,
          Optional.empty());
    }
    if (outcome instanceof ReplayOutcome.Returned returned) {
      return new EntryState(
          isReplayUnderWay() ? Status.RETURNED : status,
          lastStep,
          version,
          Optional.of(returned.as()),
          ended);
    }
    return new EntryState(
        isReplayUnderWay() ? Status.RESOLVED : status, lastStep, version, returnedAs, ended);
  }

  private EntryState with(Status changed) {
    return new EntryState(changed, lastStep, version, returnedAs, replay);
  }
}
