package dev.contrail.cli.drill;

import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.drill.account.Breach;
import dev.contrail.cli.drill.report.DrillReport;
import dev.contrail.cli.drill.report.MarkdownReport;
import dev.contrail.cli.drill.report.ScenarioResult;
import dev.contrail.cli.drill.report.ScenarioResult.Verdict;
import dev.contrail.cli.drill.report.Words;
import dev.contrail.cli.output.Table;
import dev.contrail.operations.view.PlainText;

/** The report for people at a terminal. */
final class DrillTables {
  private final Surroundings surroundings;

  DrillTables(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  void print(DrillReport report) {
    MarkdownReport.headLines(report.head()).forEach(this::line);
    line("");
    surroundings.out().print(table(report).render(surroundings.terminal()));
    for (ScenarioResult it : report.scenarios()) {
      if (it.verdict() == Verdict.SKIPPED) {
        line(it.scenario() + " is skipped: " + it.why());
      }
      for (Breach breach : it.breaches()) {
        line(
            it.scenario()
                + " broke “"
                + breach.promise().words()
                + "”: "
                + breach.what()
                + "; "
                + breach.example());
      }
      it.notes().forEach(note -> line(it.scenario() + ": " + note));
    }
    surroundings.out().flush();
  }

  /** As wide as a terminal of 80 columns; kills are faults, and the report has them apart. */
  static Table table(DrillReport report) {
    Table table =
        new Table()
            .wholeColumn("SCENARIO")
            .numberColumn("FAULTS")
            .numberColumn("MESSAGES")
            .numberColumn("LOST")
            .numberColumn("EVIDENCE")
            .numberColumn("TWICE")
            .numberColumn("RECOVERED")
            .wholeColumn("VERDICT");
    for (ScenarioResult it : report.scenarios()) {
      boolean skipped = it.verdict() == Verdict.SKIPPED;
      table.row(
          it.scenario(),
          skipped ? "-" : it.faults(),
          skipped ? "-" : it.messages(),
          skipped ? "-" : it.lost(),
          skipped ? "-" : it.evidenceLost() + " lost",
          skipped ? "-" : it.duplicates().total(),
          it.recoveryMillis().isEmpty() ? "-" : Words.time(it.slowestRecovery()),
          it.verdict().text());
    }
    return table;
  }

  private void line(String text) {
    surroundings.out().println(PlainText.of(text));
  }

  /** A scenario that has ended, in a line. */
  static String line(ScenarioResult it) {
    if (it.verdict() == Verdict.SKIPPED) {
      return it.scenario() + " skipped: " + it.why();
    }
    return it.scenario()
        + " "
        + it.verdict().text()
        + ": "
        + it.messages()
        + " messages, "
        + Words.kills(it.kills())
        + ", "
        + it.lost()
        + " lost, "
        + it.duplicates().total()
        + " done twice, in "
        + Words.time(it.tookMillis());
  }
}
