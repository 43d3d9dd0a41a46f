package dev.contrail.cli.replay;

import dev.contrail.cli.output.Table;
import dev.contrail.operations.replay.PlanReport;
import dev.contrail.operations.replay.RunResult;
import dev.contrail.operations.replay.Tally;
import dev.contrail.plan.PlanState;
import dev.contrail.plan.Rate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** How it stands with a plan, for people and for scripts. */
final class PlanView {
  private static final int MOST_FINDINGS = 20;

  /** An entry that is worth a look. */
  record Finding(String id, String what, String why) {}

  /** All of it. */
  record Whole(
      String plan,
      Instant at,
      String by,
      String chosen,
      String to,
      String rate,
      int canary,
      boolean stopOnReturn,
      int maxReplays,
      String state,
      Instant stateAt,
      String stateBy,
      String why,
      int entries,
      int open,
      int replayed,
      int waiting,
      int unknown,
      int resolved,
      int inferred,
      int returned,
      int failed,
      int leftOut,
      List<Finding> findings) {}

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

  Whole whole() {
    var options = report.head().options();
    Tally tally = report.tally();
    return new Whole(
        report.head().plan(),
        report.head().at(),
        report.head().by(),
        report.head().chosen(),
        options.to().orElse(""),
        options.rate().map(Rate::toString).orElse(""),
        options.canary(),
        options.stopOnReturn(),
        options.maxReplays(),
        report.state().kind().text(),
        report.state().at(),
        report.state().by(),
        report.state().why(),
        report.head().entries(),
        tally.open(),
        tally.replayed(),
        tally.waiting(),
        tally.unknown(),
        tally.resolved(),
        tally.inferred(),
        tally.returned(),
        tally.failed(),
        tally.leftOut(),
        findings());
  }

  private List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    report
        .findings()
        .forEach(it -> findings.add(new Finding(it.id().toString(), it.what(), it.why())));
    unsettled.forEach(it -> findings.add(new Finding(it.id().toString(), "not known", it.why())));
    return findings;
  }

  void print(Tools tools) {
    String plan = report.head().plan();
    tools.answer("Plan " + plan + " " + stateInWords() + ".");
    tools.answer(tallyInWords());
    List<Finding> findings = findings();
    if (!findings.isEmpty()) {
      Table table = new Table().wholeColumn("ID").wholeColumn("WHAT").column("WHY");
      findings.stream().limit(MOST_FINDINGS).forEach(it -> table.row(it.id(), it.what(), it.why()));
      tools.surroundings().out().print(table.render(tools.surroundings().terminal()));
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
    if (report.tally().waiting() > 0) {
      next.add("contrail dlq plans show " + plan + " tells what became of what waits.");
    }
    return next;
  }
}
