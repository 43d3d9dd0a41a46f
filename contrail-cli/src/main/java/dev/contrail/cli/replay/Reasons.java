package dev.contrail.cli.replay;

import dev.contrail.cli.output.Table;
import dev.contrail.cli.output.Terminal;
import dev.contrail.cli.output.WrappedText;
import dev.contrail.operations.view.PlainText;
import java.util.ArrayList;
import java.util.List;

/**
 * Why something was not done, for each dead letter: in a table, or below its id where it is long.
 */
final class Reasons {
  private static final String INDENT = "  ";

  private record Row(String id, String what, String why) {}

  private final List<Row> rows = new ArrayList<>();

  /**
   * Adds one.
   *
   * @param what happened, in a word or two
   */
  void add(String id, String what, String why) {
    rows.add(new Row(PlainText.of(id), PlainText.of(what), PlainText.of(why)));
  }

  /** For that terminal. No reason is cut short: its end may say what to do about it. */
  String render(Terminal terminal) {
    Table table = new Table().wholeColumn("ID").wholeColumn("WHAT").column("WHY");
    rows.forEach(row -> table.row(row.id(), row.what(), row.why()));
    String rendered = table.render(terminal);
    boolean cut =
        terminal.outIsTerminal() && rows.stream().anyMatch(row -> !rendered.contains(row.why()));
    return cut ? below(terminal.columns()) : rendered;
  }

  private String below(int columns) {
    StringBuilder text = new StringBuilder();
    for (Row row : rows) {
      text.append(row.id()).append(": ").append(row.what()).append(System.lineSeparator());
      for (String line : WrappedText.lines(row.why(), columns - INDENT.length())) {
        text.append(INDENT).append(line).append(System.lineSeparator());
      }
    }
    return text.toString();
  }
}
