package dev.contrail.cli.audit;

import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Table;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.ledger.SequenceSet;
import dev.contrail.ledger.SequenceSet.Range;
import dev.contrail.operations.audit.AuditReport;
import dev.contrail.operations.audit.Fate;
import dev.contrail.operations.audit.Gap;
import dev.contrail.operations.view.PlainText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** An audit as people see it: how much of what, then what is not fine, then the verdict. */
final class AuditText {
  private static final int MOST_RANGES = 20;

  private final Surroundings surroundings;

  AuditText(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  private record Row(
      String consumer, Fate fate, long from, long to, long messages, String why, String reason) {}

  void print(AuditReport report) {
    if (report.messages() > 0) {
      line(
          "Stream "
              + report.stream()
              + ", messages "
              + number(report.from())
              + " to "
              + number(report.to())
              + "; it begins there since "
              + report.why()
              + ".");
      line("");
      summary(report);
      ranges(report);
    }
    report.notes().forEach(this::line);
    line(verdict(report));
    surroundings.out().flush();
  }

  private void summary(AuditReport report) {
    Table table =
        new Table()
            .wholeColumn("CONSUMER")
            .wholeColumn("FATE")
            .numberColumn("MESSAGES")
            .numberColumn("SHARE");
    for (AuditReport.OfConsumer consumer : report.consumers()) {
      String name = name(consumer);
      for (Fate fate : Fate.values()) {
        long count = consumer.count(fate);
        if (count > 0) {
          table.row(name, words(fate), number(count), share(count, report.messages()));
          name = "";
        }
      }
    }
    if (!report.consumers().isEmpty()) {
      print(table);
    }
  }

  private void ranges(AuditReport report) {
    List<Row> rows = new ArrayList<>();
    Set<String> commands = new LinkedHashSet<>();
    for (AuditReport.OfConsumer consumer : report.consumers()) {
      gaps(consumer, rows, commands);
      orphaned(consumer, rows, commands);
      dead(report, consumer, rows, commands);
    }
    if (rows.isEmpty()) {
      return;
    }
    line("");
    Table table =
        new Table()
            .wholeColumn("CONSUMER")
            .wholeColumn("FATE")
            .numberColumn("FROM")
            .numberColumn("TO")
            .numberColumn("MESSAGES")
            .wholeColumn("WHY");
    // What hurts first, and of that the longest.
    rows.sort(
        Comparator.comparing((Row row) -> row.fate() == Fate.DEAD)
            .thenComparing(Comparator.comparingLong(Row::messages).reversed()));
    rows.stream()
        .limit(MOST_RANGES)
        .forEach(
            row ->
                table.row(
                    row.consumer(),
                    words(row.fate()),
                    number(row.from()),
                    number(row.to()),
                    number(row.messages()),
                    row.why()));
    print(table);
    if (rows.size() > MOST_RANGES) {
      line("and " + number(rows.size() - MOST_RANGES) + " more ranges; --json lists all");
    }
    Set<String> reasons = new LinkedHashSet<>();
    rows.forEach(row -> reasons.add(row.why() + ": " + row.reason()));
    reasons.forEach(this::line);
    line("");
    if (!commands.isEmpty()) {
      commands.forEach(command -> line("  " + command));
      line("");
    }
  }

  private static void gaps(AuditReport.OfConsumer consumer, List<Row> rows, Set<String> commands) {
    for (Gap gap : consumer.gaps()) {
      rows.add(
          new Row(
              name(consumer),
              Fate.UNACCOUNTED,
              gap.from(),
              gap.to(),
              gap.messages(),
              gap.cause().text(),
              gap.reason()));
      gap.command().ifPresent(commands::add);
    }
  }

  private static void orphaned(
      AuditReport.OfConsumer consumer, List<Row> rows, Set<String> commands) {
    boolean unclaimed = consumer.consumer().equals(DeadLetterId.ORPHAN);
    String why =
        unclaimed
            ? "no consumer takes their subjects"
            : "given up or passed over by the server, and nobody will be given them";
    if (addRanges(consumer, Fate.ORPHANED, unclaimed ? "unclaimed" : "given-up", why, rows)) {
      commands.add("contrail orphans scan");
    }
  }

  private static void dead(
      AuditReport report, AuditReport.OfConsumer consumer, List<Row> rows, Set<String> commands) {
    if (addRanges(
        consumer, Fate.DEAD, "undecided", "nobody has said what to do about them", rows)) {
      commands.add(
          "contrail dlq ls --stream " + report.stream() + " --consumer " + consumer.consumer());
    }
  }

  private static boolean addRanges(
      AuditReport.OfConsumer consumer, Fate fate, String why, String reason, List<Row> rows) {
    List<Range> ranges = consumer.fates().getOrDefault(fate, new SequenceSet()).ranges();
    for (Range range : ranges) {
      rows.add(new Row(name(consumer), fate, range.from(), range.to(), range.count(), why, reason));
    }
    return !ranges.isEmpty();
  }

  private static String verdict(AuditReport report) {
    if (report.messages() == 0) {
      return "Stream " + report.stream() + " has had no messages in that time.";
    }
    if (report.consumers().isEmpty()) {
      return "Stream "
          + report.stream()
          + " has no durable consumers: there is nobody to account for its messages.";
    }
    long unaccounted = report.count(Fate.UNACCOUNTED);
    long orphaned = report.count(Fate.ORPHANED);
    String besides =
        (orphaned == 0 ? "" : " " + number(orphaned) + " are orphaned.")
            + (report.complete() ? "" : " Not all that is on record could be read.");
    return unaccounted == 0
        ? "Everything is accounted for." + besides
        : number(unaccounted) + " unaccounted for." + besides;
  }

  private static String name(AuditReport.OfConsumer consumer) {
    return consumer.consumer().equals(DeadLetterId.ORPHAN) ? "(none)" : consumer.consumer();
  }

  private static String words(Fate fate) {
    return fate.text().replace('-', ' ');
  }

  private static String share(long count, long of) {
    double percent = 100.0 * count / of;
    // What is little is not nothing, and nearly all is not all.
    if (percent < 0.1) {
      return "<0.1%";
    }
    return percent > 99.9 && count < of ? ">99.9%" : String.format(Locale.ROOT, "%.1f%%", percent);
  }

  private static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private void line(String text) {
    surroundings.out().println(PlainText.of(text));
  }

  private void print(Table table) {
    surroundings.out().print(table.render(surroundings.terminal()));
  }
}
