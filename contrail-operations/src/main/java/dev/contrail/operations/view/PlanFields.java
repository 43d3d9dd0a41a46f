package dev.contrail.operations.view;

import dev.contrail.operations.replay.PlanReport;
import dev.contrail.operations.replay.RunResult;
import dev.contrail.operations.replay.Tally;
import dev.contrail.plan.Rate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** How it stands with a plan, as scripts see it. Fields keep their names. */
public record PlanFields(
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
    List<Finding> findings) {
  /** An entry that is worth a look. */
  public record Finding(String id, String what, String why) {}

  /**
   * Of a plan.
   *
   * @param unsettled what a run of it left so
   */
  public static PlanFields of(PlanReport report, List<RunResult.Unsettled> unsettled) {
    var options = report.head().options();
    Tally tally = report.tally();
    return new PlanFields(
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
        findings(report, unsettled));
  }

  private static List<Finding> findings(PlanReport report, List<RunResult.Unsettled> unsettled) {
    List<Finding> findings = new ArrayList<>();
    report
        .findings()
        .forEach(it -> findings.add(new Finding(it.id().toString(), it.what(), it.why())));
    unsettled.forEach(it -> findings.add(new Finding(it.id().toString(), "not known", it.why())));
    return findings;
  }
}
