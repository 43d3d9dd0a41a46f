package dev.contrail.operations.replay;

import dev.contrail.event.ReplayOutcome;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanProgress;
import dev.contrail.plan.PlanState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How it stands with a plan.
 *
 * @param findings entries that did not end well, in the plan's order
 */
public record PlanReport(PlanHead head, PlanState state, Tally tally, List<Finding> findings) {
  /** An entry that came back, was left out or could not be published. */
  public record Finding(DeadLetterId id, String what, String why) {}

  static final RunListener NO_LISTENER =
      new RunListener() {
        @Override
        public void settled(int done, int of) {}

        @Override
        public void notice(String sentence) {}
      };

  static PlanReport of(PlanHead head, PlanState state, Tally tally, Outcomes outcomes) {
    List<PlanProgress> progress = new ArrayList<>(outcomes.progress());
    progress.sort(Comparator.comparingInt(PlanProgress::index));
    List<Finding> findings = new ArrayList<>();
    for (PlanProgress done : progress) {
      DeadLetterId id = outcomes.entry(done.index()).id();
      if (done instanceof PlanProgress.Failed failed) {
        findings.add(new Finding(id, "failed", failed.why()));
      } else if (done instanceof PlanProgress.LeftOut leftOut) {
        findings.add(new Finding(id, "left out", leftOut.why()));
      } else if (done instanceof PlanProgress.Published copy) {
        outcomes.of(copy).flatMap(outcome -> finding(id, outcome)).ifPresent(findings::add);
      }
    }
    return new PlanReport(head, state, tally, findings);
  }

  private static Optional<Finding> finding(DeadLetterId id, ReplayOutcome outcome) {
    if (outcome instanceof ReplayOutcome.Failed failed) {
      return Optional.of(new Finding(id, "failed", failed.reason()));
    }
    return outcome instanceof ReplayOutcome.Returned returned
        ? Optional.of(new Finding(id, "returned", "as " + returned.as()))
        : Optional.empty();
  }
}
