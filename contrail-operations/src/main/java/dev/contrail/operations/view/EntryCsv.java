package dev.contrail.operations.view;

import dev.contrail.operations.index.IndexEntry;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Dead letters as a table for spreadsheets (RFC 4180): a line of names, then one line each, with
 * the fields of {@link EntryFields}. Spreadsheets run a cell that begins like a formula, and what
 * is in it came from outside: such cells begin with an apostrophe.
 */
public final class EntryCsv {
  private static final String END = "\r\n";
  private static final int LONGEST = 2_000;
  // The wide forms too, which some programs take for the others.
  private static final String FORMULAS = "=+-@|%\uFF1D\uFF0B\uFF0D\uFF20";

  private EntryCsv() {}

  /** Writes them, line by line. */
  public static void write(List<IndexEntry> entries, Consumer<String> out) {
    out.accept(String.join(",", EntryFields.NAMES) + END);
    for (IndexEntry entry : entries) {
      Map<String, Object> fields = EntryFields.of(entry);
      out.accept(
          fields.values().stream().map(EntryCsv::cell).collect(Collectors.joining(",")) + END);
    }
  }

  private static String cell(Object value) {
    return value instanceof Number || value instanceof Boolean
        ? value.toString()
        : '"' + harmless(String.valueOf(value)).replace("\"", "\"\"") + '"';
  }

  private static String harmless(String text) {
    boolean cut = text.length() > LONGEST;
    String plain = PlainText.of(cut ? text.substring(0, LONGEST) : text) + (cut ? "…" : "");
    String begin = plain.stripLeading();
    return !begin.isEmpty() && FORMULAS.indexOf(begin.charAt(0)) >= 0 ? "'" + plain : plain;
  }
}
