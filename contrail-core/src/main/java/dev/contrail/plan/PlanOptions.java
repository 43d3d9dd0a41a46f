package dev.contrail.plan;

import java.util.Optional;

/**
 * How a plan is carried out.
 *
 * @param to the subject that copies go to; empty for that of each original message
 * @param canary how many are replayed first, and their outcome awaited; 0 for none
 * @param stopOnReturn whether the plan ends when one dies again of the same
 * @param maxReplays how many replays there may be along a chain
 */
public record PlanOptions(
    Optional<String> to, Optional<Rate> rate, int canary, boolean stopOnReturn, int maxReplays) {
  /** At full speed to where they came from, with a stop when one comes back. */
  public static final PlanOptions DEFAULT =
      new PlanOptions(Optional.empty(), Optional.empty(), 0, true, 3);

  public PlanOptions {
    if (canary < 0 || maxReplays < 1) {
      throw new IllegalArgumentException(
          "A canary is at least 0 and replays are at least 1, not "
              + canary
              + " and "
              + maxReplays
              + ".");
    }
  }
}
