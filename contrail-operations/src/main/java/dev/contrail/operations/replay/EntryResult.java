package dev.contrail.operations.replay;

import dev.contrail.plan.PlanProgress;

/** What became of one entry of a plan in this run. */
sealed interface EntryResult {
  /** It is settled, as far as this plan is concerned. */
  record Settled(PlanProgress progress) implements EntryResult {}

  /**
   * A copy may be published or not, and to publish another one might double it.
   *
   * @param why in words
   */
  record Unsettled(int index, String why) implements EntryResult {}
}
