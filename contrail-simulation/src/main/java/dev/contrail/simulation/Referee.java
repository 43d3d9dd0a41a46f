package dev.contrail.simulation;

import java.util.Optional;

/** Takes down the first foul. What comes after it tells nothing any more. */
final class Referee {
  /** A promise that was broken. */
  record Foul(Invariant invariant, String what) {}

  private final Trace trace;
  private Optional<Foul> foul = Optional.empty();

  Referee(Trace trace) {
    this.trace = trace;
  }

  void require(boolean holds, Invariant invariant, String otherwise) {
    if (!holds) {
      foul(invariant, otherwise);
    }
  }

  void foul(Invariant invariant, String what) {
    if (foul.isEmpty()) {
      foul = Optional.of(new Foul(invariant, what));
      trace.tell("FOUL", invariant.label() + ": " + what);
    }
  }

  Optional<Foul> foul() {
    return foul;
  }
}
