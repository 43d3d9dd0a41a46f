package dev.contrail.cli.drill.report;

import dev.contrail.cli.drill.account.Breach;
import dev.contrail.cli.drill.report.ScenarioResult.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.stream.Collectors;

/** The report as a page that needs nothing else. */
final class HtmlReport {
  private final DrillReport report;
  private final StringBuilder page = new StringBuilder(40_000);

  private HtmlReport(DrillReport report) {
    this.report = report;
  }

  static String of(DrillReport report) {
    return new HtmlReport(report).page();
  }

  private String page() {
    add("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    add("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    add("<title>Drill of " + text(report.worker()) + "</title>\n<style>\n" + style());
    add("</style>\n</head>\n<body>\n<main>\n");
    title();
    head();
    table();
    report.scenarios().forEach(this::scenario);
    add("<footer>Contrail for NATS · seed " + report.seed() + "</footer>\n");
    add("</main>\n</body>\n</html>\n");
    return page.toString();
  }

  private void title() {
    String verdict =
        switch (report.verdict()) {
          case KEPT -> "Every promise was kept";
          case BROKEN -> "A promise broke";
          case SKIPPED -> "Nothing was drilled";
        };
    add("<header><h1>" + badge(report.verdict()) + " " + verdict + "</h1>\n<p>Drill of <b>");
    add(text(report.worker()) + "</b> on nats-server " + text(report.serverVersion()));
    add(report.embedded() ? " of its own" : " at " + text(report.server()));
    add(
        ", "
            + text(report.startedAt().truncatedTo(ChronoUnit.SECONDS).toString())
            + ", in "
            + Words.time(report.tookMillis()));
    add("</p></header>\n");
  }

  private void head() {
    Head head = report.head();
    add("<section class=\"tiles\">\n");
    tile(
        "messages lost",
        String.valueOf(head.messagesLost()),
        "of " + head.messages(),
        head.messagesLost() > 0);
    tile(
        "evidence lost",
        String.valueOf(head.evidenceLost()),
        "of all that died",
        head.evidenceLost() > 0);
    tile(
        "duplicate executions",
        String.valueOf(head.duplicatesAfterCrash()),
        "after a crash before the record; " + head.duplicatesAfterRecord() + " after it",
        head.duplicatesAfterRecord() > 0);
    tile(
        "time to recover",
        head.recoveryMillis().count() == 0 ? "–" : Words.time(head.recoveryMillis().most()),
        "at most; median "
            + Words.time(head.recoveryMillis().median())
            + "; faults: "
            + head.faults()
            + ", kills among them: "
            + head.kills(),
        false);
    tile(
        "effective AckWait",
        Words.time(head.effectiveAckWaitMillis()),
        head.effectiveAckWaitMillis() == head.ackWaitMillis()
            ? "as configured"
            : "the longest retry delay; AckWait itself is " + Words.time(head.ackWaitMillis()),
        false);
    tile(
        "ledger",
        MarkdownReport.ledger(head),
        head.recordAgeMillis().count() == 0
            ? "no record was needed"
            : "the oldest record an ack relied on: " + Words.time(head.recordAgeMillis().most()),
        false);
    add("</section>\n");
    if (head.recordAgeMillis().count() > 0) {
      add("<section><h2>Age of a record when its ack came, against AckWait</h2>\n");
      add(
          AgePlot.svg(
              report.scenarios().stream().flatMap(it -> it.recordAgeMillis().stream()).toList(),
              head.ackWaitMillis()));
      add(
          "<p class=\"note\">Each bar counts acks; heights are logarithmic. A mark of what is done"
              + " that lives for AckWait alone is gone when those right of the line need it, and"
              + " their messages are run again.</p></section>\n");
    }
  }

  private void tile(String name, String value, String more, boolean bad) {
    add("<div class=\"tile" + (bad ? " bad" : "") + "\"><span>" + text(name) + "</span><b>");
    add(text(value) + "</b><small>" + text(more) + "</small></div>\n");
  }

  private void table() {
    add("<section><div class=\"wide\"><table><thead><tr><th>scenario</th><th>kills</th>");
    add("<th>faults</th><th>messages</th><th>lost</th><th>evidence lost</th><th>duplicates</th>");
    add("<th>recovered in</th><th>verdict</th></tr></thead><tbody>\n");
    for (ScenarioResult it : report.scenarios()) {
      add("<tr><td><a href=\"#" + text(it.scenario()) + "\">" + text(it.scenario()) + "</a></td>");
      number(it.kills(), false);
      number(it.faults(), false);
      number(it.messages(), false);
      number(it.lost(), it.lost() > 0);
      number(it.evidenceLost(), it.evidenceLost() > 0);
      number(it.duplicates().total(), it.duplicates().afterRecord() > 0);
      add("<td class=\"n\">");
      add(it.recoveryMillis().isEmpty() ? "–" : Words.time(it.slowestRecovery()));
      add("</td><td>" + badge(it.verdict()) + " " + it.verdict().text() + "</td></tr>\n");
    }
    add("</tbody></table></div>\n<p class=\"legend\"><i class=\"kill\">●</i> killed <i");
    add(" class=\"fault\">●</i> other fault <i class=\"back\">●</i> back <i class=\"quiet\">●</i>");
    add(" all accounted for; the curves below count work that was done</p></section>\n");
  }

  private void number(int value, boolean bad) {
    add("<td class=\"n" + (bad ? " bad" : "") + "\">" + value + "</td>");
  }

  private void scenario(ScenarioResult it) {
    add("<section id=\"" + text(it.scenario()) + "\"><h2>" + badge(it.verdict()) + " ");
    add(text(it.title()) + "</h2>\n<p>" + text(it.what()) + "</p>\n");
    if (it.verdict() == Verdict.SKIPPED) {
      add("<p class=\"note\">Skipped: " + text(it.why()) + ".</p></section>\n");
      return;
    }
    for (Breach breach : it.breaches()) {
      add("<p class=\"breach\"><b>" + text(breach.promise().words()) + ":</b> ");
      add(text(breach.what()) + "<br><small>" + text(breach.example()) + "</small></p>\n");
    }
    add("<p class=\"fates\">" + fates(it) + "</p>\n");
    add(CoursePlot.svg(it));
    it.notes().forEach(note -> add("<p class=\"note\">" + text(note) + "</p>\n"));
    add("<details><summary>What happened when</summary><ol>\n");
    it.timeline()
        .forEach(
            moment ->
                add(
                    "<li class=\""
                        + moment.kind().text()
                        + "\"><time>"
                        + Words.time(moment.millis())
                        + "</time> "
                        + text(moment.what())
                        + "</li>\n"));
    add("</ol></details></section>\n");
  }

  private static String fates(ScenarioResult it) {
    return java.util.stream.Stream.of(
            it.processed() + " processed",
            it.dead() + " dead with whole evidence",
            it.resolved() + " resolved by replay",
            it.duplicates().afterCrash() + " done again after a crash before the record",
            it.duplicates().overlapping() + " done by two at once",
            it.lost() + " lost")
        .filter(fate -> !fate.startsWith("0 ") || fate.endsWith("lost"))
        .map(HtmlReport::text)
        .collect(Collectors.joining(" · "));
  }

  private static String badge(Verdict verdict) {
    return switch (verdict) {
      case KEPT -> "<i class=\"ok\">✓</i>";
      case BROKEN -> "<i class=\"no\">✗</i>";
      case SKIPPED -> "<i class=\"skip\">–</i>";
    };
  }

  private void add(String html) {
    page.append(html);
  }

  static String text(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  private static String style() {
    try (InputStream in =
        Objects.requireNonNull(HtmlReport.class.getResourceAsStream("report.css"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
