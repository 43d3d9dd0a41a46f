package dev.contrail.plan;

import java.time.Instant;

/**
 * What makes a plan.
 *
 * @param chosen how the dead letters were chosen, in words
 * @param entries how many there are
 * @param chunks in how many pieces they are stored
 */
public record PlanHead(
    String plan,
    Instant at,
    String by,
    String chosen,
    int entries,
    int chunks,
    PlanOptions options) {
  /** The version of the stored form that this release writes, and the newest that it reads. */
  public static final int PLAN_VERSION = 1;
}
