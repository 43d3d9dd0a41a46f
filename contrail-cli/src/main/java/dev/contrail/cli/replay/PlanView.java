package dev.contrail.cli.replay;

import dev.contrail.operations.replay.PlanReport;
import dev.contrail.operations.replay.RunResult;
import dev.contrail.operations.replay.Tally;
import dev.contrail.operations.view.PlanFields;
import dev.contrail.plan.PlanState;
import java.util.ArrayList;
import java.util.List;

/** How it stands with a plan, for people and for scripts. */
final class PlanView {
  private static final int MOST_FINDINGS = 20;

  private final PlanReport report;
  private final List<RunResult.Unsettled> unsettled;

  PlanView(PlanReport report, List<RunResult.Unsettled> unsettled) {
    this.report = report;
    this.unsettled = unsettled;
  }

  /** Whether nobody need look at it again, except for outcomes that are not known yet. */
  boolean isFine() {
    return report.state().kind() == PlanState.Kind.FINISHED
        && report.tally().isFine()
        && unsettled.isEmpty();
  }

  PlanFields whole() {
    return PlanFields.of(report, unsettled);
  }

  void print(Tools tools) {
    String plan = report.head().plan();
    tools.answer("Plan " + plan + " " + stateInWords() + ".");
    tools.answer(tallyInWords());
    List<PlanFields.Finding> findings = whole().findings();
    if (!findings.isEmpty()) {
      Reasons reasons = new Reasons();
      findings.stream()
          .limit(MOST_FINDINGS)
          .forEach(it -> reasons.add(it.id(), it.what(), it.why()));
      tools.surroundings().out().print(reasons.render(tools.surroundings().terminal()));
    }
    if (findings.size() > MOST_FINDINGS) {
      tools.answer(
          MOST_FINDINGS
              + " of "
              + findings.size()
              + "; contrail dlq plans show "
              + plan
              + " --json shows all.");
    }
    next(plan).forEach(tools::answer);
  }

  private String stateInWords() {
    PlanState state = report.state();
    String why = state.why().isEmpty() ? "" : ": " + state.why();
    return switch (state.kind()) {
      case NEW -> "was not begun with";
      case RUNNING -> "is being run by " + state.by();
      case CANCELLED -> "was cancelled by " + state.by() + why;
      case STOPPED -> "stopped" + why;
      case FINISHED -> "is finished";
    };
  }

  private String tallyInWords() {
    Tally tally = report.tally();
    List<String> outcomes = new ArrayList<>();
    add(outcomes, tally.resolved() - tally.inferred(), "resolved");
    add(outcomes, tally.inferred(), "resolved, as far as can be concluded");
    add(outcomes, tally.returned(), "came back");
    add(outcomes, tally.waiting(), "waiting for the outcome");
    add(outcomes, tally.unknown(), "whose outcome will not be known");
    List<String> parts = new ArrayList<>();
    parts.add(
        tally.replayed()
            + " of "
            + report.head().entries()
            + " replayed"
            + (outcomes.isEmpty() ? "" : " (" + String.join("; ", outcomes) + ")"));
    add(parts, tally.open(), "open");
    add(parts, tally.failed(), "not published or lost, and open again");
    add(parts, tally.leftOut(), "left out");
    return String.join(", ", parts) + ".";
  }

  private static void add(List<String> parts, int count, String what) {
    if (count > 0) {
      parts.add(count + " " + what);
    }
  }

  private List<String> next(String plan) {
    List<String> next = new ArrayList<>();
    boolean ended = report.state().kind() != PlanState.Kind.RUNNING;
    if (ended && report.tally().open() > 0) {
      next.add("contrail dlq plans resume " + plan + " goes on with it.");
    }
    if (!unsettled.isEmpty()) {
      next.add(
          "contrail dlq plans resume "
              + plan
              + " --force publishes again what may have been published.");
    }
    if (report.tally().unknown() > 0) {
      next.add("Where the outcome will not be known, contrail dlq replay --force repeats it.");
    }
    if (report.tally().waiting() > 0) {
      next.add("contrail dlq plans show " + plan + " tells what became of what waits.");
    }
    return next;
  }
}
