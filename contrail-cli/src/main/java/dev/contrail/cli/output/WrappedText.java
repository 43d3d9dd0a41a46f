package dev.contrail.cli.output;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Sentences that fit the width of a terminal; elsewhere they stay on one line. */
public final class WrappedText {
  /** Longer lines are hard to read, however wide the window is. */
  private static final int WIDEST = 110;

  private WrappedText() {}

  /**
   * Prints it to standard output, and goes on below it, behind the indent, where that is narrow.
   */
  public static void print(
      PrintWriter out, Terminal terminal, String start, String indent, String text) {
    print(out, terminal.outIsTerminal(), terminal, start, indent, text);
  }

  /** The same for standard error. */
  public static void printError(PrintWriter err, Terminal terminal, String start, String text) {
    print(err, terminal.errIsTerminal(), terminal, start, "", text);
  }

  private static void print(
      PrintWriter to,
      boolean isTerminal,
      Terminal terminal,
      String start,
      String indent,
      String text) {
    // The first line has to hold what stands before it, and the others their indent.
    int before = Math.max(DisplayWidth.of(start), DisplayWidth.of(indent));
    int columns = Math.min(WIDEST, terminal.columns()) - before;
    String next = start;
    for (String line : isTerminal ? lines(text, columns) : List.of(text)) {
      to.println(next + line);
      next = indent;
    }
  }

  /** The text in lines of at most that many columns; longer words stay whole. */
  public static List<String> lines(String text, int columns) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty()
          && DisplayWidth.of(line.toString()) + 1 + DisplayWidth.of(word) > columns) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
