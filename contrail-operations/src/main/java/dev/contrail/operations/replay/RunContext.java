package dev.contrail.operations.replay;

import dev.contrail.plan.PlanHead;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Who carries out a plan, and by which time.
 *
 * @param force whether a copy is published again that may have been before
 * @param serverTime of the server when this began
 * @param beganNanos when that was, on the monotonic clock
 */
record RunContext(
    PlanHead head, String by, boolean force, Instant serverTime, long beganNanos, Clock clock) {
  /** How long ago that was, by the server's clock. */
  Duration since(Instant stored) {
    return Duration.between(stored, serverTime)
        .plusNanos(Math.max(0, System.nanoTime() - beganNanos));
  }
}
