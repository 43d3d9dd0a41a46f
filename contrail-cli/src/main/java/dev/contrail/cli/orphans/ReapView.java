package dev.contrail.cli.orphans;

import dev.contrail.cli.output.Json;
import dev.contrail.cli.output.Table;
import dev.contrail.cli.replay.Tools;
import dev.contrail.operations.orphans.OrphanClass;
import dev.contrail.operations.orphans.Orphans;
import dev.contrail.operations.orphans.ReapPlan.Fate;
import dev.contrail.operations.orphans.ReapReport;
import dev.contrail.operations.view.OrphanFields;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a reaper did, for people and for scripts.
 *
 * @param really whether it was done, and not only counted
 */
record ReapView(ReapReport report, boolean really, Fate fate, String olderThan) {
  private static final int MOST_HELD = 20;

  void show(Tools tools) {
    if (tools.json().getAsBoolean()) {
      Json.write(tools.surroundings().out(), fields());
    } else {
      print(tools);
    }
  }

  private void print(Tools tools) {
    PrintWriter out = tools.surroundings().out();
    if (!report.lines().isEmpty()) {
      Table table =
          new Table()
              .column("STREAM")
              .subjectColumn("SUBJECT")
              .wholeColumn("CLASS")
              .numberColumn(really ? "REAPED" : "WOULD REAP")
              .numberColumn("YOUNG")
              .numberColumn("LEFT");
      report.lines().forEach(it -> table.row(row(it)));
      out.print(table.render(tools.surroundings().terminal()));
    }
    OrphansScanCommand.print(
        tools,
        "",
        OrphansScanCommand.counted(report.reaped(), "message")
            + (really ? " " : " would be ")
            + inWords()
            + ", "
            + report.young()
            + " younger than "
            + olderThan
            + ", "
            + report.left()
            + " left alone.");
    report
        .lines()
        .forEach(
            line ->
                line.left()
                    .forEach(
                        (why, count) ->
                            OrphansScanCommand.print(
                                tools,
                                "  ",
                                "left " + count + " of " + line.subject() + " alone: " + why)));
    report.slipped().forEach(it -> OrphansScanCommand.print(tools, "  ", sentence(it)));
    if (!report.stopped().isEmpty()) {
      OrphansScanCommand.print(tools, "", "Stopped before the end: " + report.stopped() + ".");
    }
    OrphansScanCommand.printNotJudged(report.notJudged(), tools);
    held(OrphanClass.FORGOTTEN, "Not for reaping, since a stopped durable may want it:", tools);
    held(OrphanClass.SUSPECTED, "Not for reaping, since it is only suspected:", tools);
    if (!really && report.reaped() > 0) {
      out.println("Nothing was touched; --yes does it.");
    }
    out.flush();
  }

  private static Object[] row(ReapReport.Line line) {
    return new Object[] {
      line.stream(),
      line.subject(),
      line.kind().text(),
      line.reaped(),
      line.young(),
      line.left().values().stream().mapToLong(Long::longValue).sum()
    };
  }

  private String inWords() {
    return switch (fate) {
      case DEAD_LETTER -> "made dead letters";
      case HAND_OVER -> "handed over";
      case DELETE -> "deleted";
    };
  }

  private void held(OrphanClass kind, String title, Tools tools) {
    PrintWriter out = tools.surroundings().out();
    List<Orphans> some = report.held().stream().filter(it -> it.kind() == kind).toList();
    if (!some.isEmpty()) {
      out.println(title);
      some.stream()
          .limit(MOST_HELD)
          .forEach(it -> OrphansScanCommand.print(tools, "  ", sentence(it)));
    }
    if (some.size() > MOST_HELD) {
      out.println("  … and " + (some.size() - MOST_HELD) + " more; --json has all");
    }
  }

  private static String sentence(Orphans held) {
    return held.stream()
        + ", "
        + (held.countIs() == Orphans.Count.AT_LEAST ? "at least " : "")
        + held.count()
        + " of "
        + String.join(", ", held.subjects())
        + ": "
        + held.why();
  }

  private static String sentence(ReapReport.Slipped one) {
    return "consumer "
        + one.claimant()
        + " came to claim "
        + one.subject()
        + " while "
        + OrphansScanCommand.counted(one.messages(), "message")
        + " from sequence "
        + one.from()
        + " to "
        + one.to()
        + " were taken away; contrail dlq replay brings them back";
  }

  private Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("dryRun", !really);
    fields.put("reaped", report.reaped());
    fields.put("young", report.young());
    fields.put("left", report.left());
    fields.put("stopped", report.stopped().isEmpty() ? null : report.stopped());
    fields.put("lines", report.lines().stream().map(ReapView::fields).toList());
    fields.put("held", report.held().stream().map(OrphanFields::of).toList());
    fields.put("slippedIn", report.slipped());
    fields.put("notJudged", report.notJudged());
    return fields;
  }

  private static Map<String, Object> fields(ReapReport.Line line) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("stream", line.stream());
    fields.put("subject", line.subject());
    fields.put("class", line.kind().text());
    fields.put("reaped", line.reaped());
    fields.put("young", line.young());
    fields.put("gone", line.gone());
    List<Map<String, Object>> left =
        line.left().entrySet().stream()
            .map(it -> Map.<String, Object>of("why", it.getKey(), "count", it.getValue()))
            .toList();
    fields.put("left", left);
    return fields;
  }
}
