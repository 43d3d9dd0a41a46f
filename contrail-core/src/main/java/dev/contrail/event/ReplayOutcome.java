package dev.contrail.event;

import dev.contrail.evidence.DeadLetterId;

/** How a replay ended. */
public sealed interface ReplayOutcome extends Fact {
  /**
   * The copy was processed.
   *
   * @param inferred whether that was concluded, and not told by the worker itself
   */
  record Resolved(CopyPlace copy, String consumer, boolean inferred) implements ReplayOutcome {
    @Override
    public String kind() {
      return "resolved";
    }
  }

  /** The copy died; its dead letter takes the place of this one. */
  record Returned(DeadLetterId as) implements ReplayOutcome {
    @Override
    public String kind() {
      return "returned";
    }
  }

  /** The copy was never published, for a reason. */
  record Failed(String reason) implements ReplayOutcome {
    @Override
    public String kind() {
      return "failed";
    }
  }
}
