package dev.contrail.operations.replay;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.plan.PlanState;
import java.util.List;

/**
 * How a run of a plan ended.
 *
 * @param state what was written down as its end
 * @param unsettled entries whose copy may be published or not, and why that was left so
 */
public record RunResult(PlanState state, List<Unsettled> unsettled) {
  /** An entry whose copy may be published or not. */
  public record Unsettled(DeadLetterId id, String why) {}
}
