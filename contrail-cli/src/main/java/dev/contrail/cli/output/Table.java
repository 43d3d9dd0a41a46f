package dev.contrail.cli.output;

import dev.contrail.operations.view.PlainText;
import java.util.ArrayList;
import java.util.List;

/**
 * A table for people. On a terminal it has a frame and fits the width; elsewhere it is plain
 * columns, whole, so that other programs can read them.
 */
public final class Table {
  private static final int NARROWEST = 8;
  private static final String PLAIN_GAP = "  ";

  private enum Kind {
    TEXT,
    SUBJECT,
    WHOLE,
    NUMBER
  }

  private record Column(String name, Kind kind) {}

  private final List<Column> columns = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();

  /** A column whose values may be shortened where the line is too narrow. */
  public Table column(String name) {
    return add(name, Kind.TEXT);
  }

  /** A column of subjects, shortened in their middle: those of a stream begin alike. */
  public Table subjectColumn(String name) {
    return add(name, Kind.SUBJECT);
  }

  /** A column whose values are never shortened, since people copy them. */
  public Table wholeColumn(String name) {
    return add(name, Kind.WHOLE);
  }

  /** A column of numbers, right-aligned and never shortened. */
  public Table numberColumn(String name) {
    return add(name, Kind.NUMBER);
  }

  private Table add(String name, Kind kind) {
    columns.add(new Column(name, kind));
    return this;
  }

  /** Adds a row: one value for each column. Values may come from anywhere. */
  public Table row(Object... values) {
    if (values.length != columns.size()) {
      throw new IllegalArgumentException(
          "a row of " + values.length + " values for " + columns.size() + " columns");
    }
    List<String> row = new ArrayList<>(values.length);
    for (Object value : values) {
      row.add(PlainText.of(String.valueOf(value)));
    }
    rows.add(row);
    return this;
  }

  /** The table as text that ends with a line feed. */
  public String render(Terminal terminal) {
    return terminal.outIsTerminal() ? framed(terminal.columns()) : plain();
  }

  private String framed(int available) {
    int[] widths = widths();
    shrink(widths, available - (3 * columns.size() + 1));
    StringBuilder text = new StringBuilder();
    frame(text, widths, "╭", "┬", "╮");
    line(text, widths, names(), "│ ", " │ ", " │");
    frame(text, widths, "├", "┼", "┤");
    rows.forEach(row -> line(text, widths, row, "│ ", " │ ", " │"));
    frame(text, widths, "╰", "┴", "╯");
    return text.toString();
  }

  private String plain() {
    int[] widths = widths();
    StringBuilder text = new StringBuilder();
    line(text, widths, names(), "", PLAIN_GAP, "");
    rows.forEach(row -> line(text, widths, row, "", PLAIN_GAP, ""));
    return text.toString();
  }

  private List<String> names() {
    return columns.stream().map(Column::name).toList();
  }

  private int[] widths() {
    int[] widths = new int[columns.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = DisplayWidth.of(columns.get(i).name());
      for (List<String> row : rows) {
        widths[i] = Math.max(widths[i], DisplayWidth.of(row.get(i)));
      }
    }
    return widths;
  }

  private void shrink(int[] widths, int available) {
    int excess = -available;
    for (int width : widths) {
      excess += width;
    }
    for (int widest; excess > 0 && (widest = widestShrinkable(widths)) >= 0; excess--) {
      widths[widest]--;
    }
  }

  private int widestShrinkable(int[] widths) {
    int widest = -1;
    for (int i = 0; i < widths.length; i++) {
      Kind kind = columns.get(i).kind();
      if ((kind == Kind.TEXT || kind == Kind.SUBJECT)
          && widths[i] > NARROWEST
          && (widest < 0 || widths[i] > widths[widest])) {
        widest = i;
      }
    }
    return widest;
  }

  private static void frame(
      StringBuilder text, int[] widths, String left, String middle, String right) {
    for (int i = 0; i < widths.length; i++) {
      text.append(i == 0 ? left : middle).append("─".repeat(widths[i] + 2));
    }
    text.append(right).append('\n');
  }

  private void line(
      StringBuilder text, int[] widths, List<String> row, String left, String gap, String right) {
    StringBuilder line = new StringBuilder(left);
    for (int i = 0; i < widths.length; i++) {
      Kind kind = columns.get(i).kind();
      String value =
          kind == Kind.SUBJECT
              ? DisplayWidth.fitMiddle(row.get(i), widths[i])
              : DisplayWidth.fit(row.get(i), widths[i]);
      String space = " ".repeat(widths[i] - DisplayWidth.of(value));
      boolean number = kind == Kind.NUMBER;
      line.append(i == 0 ? "" : gap).append(number ? space + value : value + space);
    }
    text.append(line.append(right).toString().stripTrailing()).append('\n');
  }
}
