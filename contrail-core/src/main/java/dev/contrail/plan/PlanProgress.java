package dev.contrail.plan;

/** What became of one entry of a plan. */
public sealed interface PlanProgress {
  /** The position of the entry in the plan, from 0. */
  int index();

  /**
   * Its copy is confirmed stored.
   *
   * @param step the number of the step that decided on the replay
   * @param stream where the copy is
   * @param sequence under which
   * @param outlook how its outcome will be known
   */
  record Published(int index, int step, String stream, long sequence, Outlook outlook)
      implements PlanProgress {}

  /** Nothing was decided on it, for a reason. */
  record LeftOut(int index, String why) implements PlanProgress {}

  /** Its copy could not be published, for a reason. */
  record Failed(int index, int step, String why) implements PlanProgress {}
}
