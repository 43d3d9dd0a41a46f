package dev.contrail.operations.replay;

import dev.contrail.plan.PlanHead;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Who carries out a plan, and by which time.
 *
 * @param force whether a copy is published again that may have been before
 * @param serverTime of the server when it stored that this began
 * @param began no later than that
 * @param seenUntil up to when whoever resumes the plan was told what became of it; the beginning of
 *     time where the run before was killed
 */
record RunContext(
    PlanHead head,
    String by,
    boolean force,
    Instant serverTime,
    Moment began,
    Instant seenUntil,
    Clock clock) {
  /** Whether the run before was killed, so that nobody was told what came back of it. */
  boolean isAfterKill() {
    return seenUntil.equals(Instant.MIN);
  }

  /** How long ago that was at the most, by the server's clock. */
  Duration since(Instant stored) {
    return Duration.between(stored, serverTime).plus(began.elapsed());
  }
}
