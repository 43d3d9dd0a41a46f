package dev.contrail.plan;

import java.util.Optional;

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
   * @param incarnation of that stream; empty where it was not written down
   */
  record Published(
      int index,
      int step,
      String stream,
      long sequence,
      Outlook outlook,
      Optional<String> incarnation)
      implements PlanProgress {
    /** Of a stream whose incarnation is not known. */
    public Published(int index, int step, String stream, long sequence, Outlook outlook) {
      this(index, step, stream, sequence, outlook, Optional.empty());
    }

    /** The same, in that incarnation of its stream. */
    public Published in(String incarnation) {
      return new Published(index, step, stream, sequence, outlook, Optional.of(incarnation));
    }
  }

  /** Nothing was decided on it, for a reason. */
  record LeftOut(int index, String why) implements PlanProgress {}

  /** Its copy could not be published, for a reason. */
  record Failed(int index, int step, String why) implements PlanProgress {}
}
