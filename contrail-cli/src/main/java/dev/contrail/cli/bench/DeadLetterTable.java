package dev.contrail.cli.bench;

import dev.contrail.bench.report.DeadLetterReport;
import dev.contrail.cli.output.Table;
import java.util.Locale;

/** What it costs to find and replay dead letters, for people. */
final class DeadLetterTable {
  private DeadLetterTable() {}

  static Table of(DeadLetterReport report) {
    String indexed = String.format(Locale.ROOT, "%,d", report.indexed());
    String replayed = String.format(Locale.ROOT, "%,d", report.replayed());
    return new Table()
        .column("MEASURED")
        .numberColumn("RESULT")
        .row("index of " + indexed + " ready", text("%.2f s", report.indexReadySeconds()))
        .row("the same in a warm program", text("%.2f s", report.indexAgainSeconds().median()))
        .row("heap that it holds", text("%.0f MB", report.indexMegabytes()))
        .row("groups of " + indexed, text("%.1f ms", report.groupsMillis()))
        .row("newest 50 of " + indexed, text("%.0f ms", report.newestMillis()))
        .row("messages read for them", report.newestMessages())
        .row("bare publishAsync of " + replayed, text("%,.0f/s", report.barePerSecond().median()))
        .row("replay of " + replayed, text("%,.0f/s", report.replayedPerSecond().median()))
        .row(
            "replay, of bare",
            text("%.2f", report.replayRatio().median())
                + text(" (%.2f", report.replayRatio().low())
                + text(" … %.2f)", report.replayRatio().high()));
  }

  private static String text(String format, double number) {
    return String.format(Locale.ROOT, format, number);
  }
}
