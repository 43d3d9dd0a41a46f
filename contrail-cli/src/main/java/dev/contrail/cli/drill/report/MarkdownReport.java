package dev.contrail.cli.drill.report;

import dev.contrail.cli.drill.account.Breach;
import dev.contrail.cli.drill.report.ScenarioResult.Verdict;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The report to be pasted into a ticket. */
public final class MarkdownReport {
  private MarkdownReport() {}

  /** The numbers that operators ask for, a line each. */
  public static List<String> headLines(Head head) {
    return List.of(
        "effective AckWait: "
            + Words.time(head.effectiveAckWaitMillis())
            + " (AckWait "
            + Words.time(head.ackWaitMillis())
            + ")",
        "ledger: "
            + ledger(head)
            + "; age of a record when its ack came: "
            + Words.spread(head.recordAgeMillis()),
        "duplicate executions: "
            + head.duplicatesAfterCrash()
            + " after a crash before the record, "
            + head.duplicatesAfterRecord()
            + " after the record, of "
            + head.messages()
            + " messages with "
            + Words.kills(head.kills()),
        "evidence lost: " + head.evidenceLost(),
        "messages lost: " + head.messagesLost(),
        "time to recover: " + Words.spread(head.recoveryMillis()));
  }

  /** Whether it forgets, in a few words. */
  static String ledger(Head head) {
    if (head.ledgerMaxAgeMillis() == Timing.NOT_KNOWN) {
      return "none known";
    }
    return head.ledgerMaxAgeMillis() == 0
        ? "no TTL"
        : "TTL " + Words.time(head.ledgerMaxAgeMillis());
  }

  /** The whole of it. */
  public static String of(DrillReport report) {
    StringBuilder text = new StringBuilder(2_000);
    text.append("## Drill of ")
        .append(cell(report.worker()))
        .append(": ")
        .append(report.verdict() == Verdict.BROKEN ? "a promise broke" : report.verdict().text())
        .append("\n\n")
        .append(report.startedAt().truncatedTo(ChronoUnit.SECONDS))
        .append(", ")
        .append(Words.time(report.tookMillis()))
        .append(", nats-server ")
        .append(report.serverVersion())
        .append(report.embedded() ? " of its own" : " at " + cell(report.server()))
        .append(", seed ")
        .append(report.seed())
        .append("\n\n");
    headLines(report.head()).forEach(line -> text.append("- ").append(line).append('\n'));
    text.append(
        "\n"
            + "| scenario | kills | faults | messages | lost | evidence lost | duplicates |"
            + " recovered in | verdict |\n"
            + "|---|--:|--:|--:|--:|--:|--:|--:|---|\n");
    report.scenarios().forEach(it -> text.append(row(it)));
    text.append('\n');
    for (ScenarioResult it : report.scenarios()) {
      for (Breach breach : it.breaches()) {
        text.append("- **")
            .append(it.scenario())
            .append("** broke “")
            .append(breach.promise().words())
            .append("”: ")
            .append(cell(breach.what()))
            .append("; ")
            .append(cell(breach.example()))
            .append('\n');
      }
      if (it.verdict() == Verdict.SKIPPED) {
        text.append("- ")
            .append(it.scenario())
            .append(" skipped: ")
            .append(cell(it.why()))
            .append('\n');
      }
      it.notes()
          .forEach(
              note ->
                  text.append("- ")
                      .append(it.scenario())
                      .append(": ")
                      .append(cell(note))
                      .append('\n'));
    }
    return text.toString();
  }

  private static String row(ScenarioResult it) {
    return "| "
        + it.scenario()
        + " | "
        + it.kills()
        + " | "
        + it.faults()
        + " | "
        + it.messages()
        + " | "
        + it.lost()
        + " | "
        + it.evidenceLost()
        + " | "
        + it.duplicates().total()
        + " | "
        + (it.recoveryMillis().isEmpty() ? "-" : Words.time(it.slowestRecovery()))
        + " | "
        + it.verdict().text()
        + " |\n";
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replaceAll("\\s+", " ");
  }
}
