package dev.contrail.operations.replay;

import dev.contrail.operations.replay.LineDifference.Line;
import dev.contrail.operations.replay.LineDifference.Side;
import java.util.ArrayList;
import java.util.List;

/** Lines that differ, with some around them, as {@code diff -u} shows them. */
final class Hunks {
  private static final int CONTEXT = 3;
  // JSON often is one long line: what counts is the place in it that differs.
  private static final int LONGEST_LINE = 240;
  private static final int AROUND = 80;

  private Hunks() {}

  static List<String> of(List<Line> lines) {
    List<String> shown = new ArrayList<>();
    int at = 0;
    while (at < lines.size()) {
      if (lines.get(at).side() == Side.BOTH) {
        at++;
        continue;
      }
      int start = Math.max(0, at - CONTEXT);
      int end = end(lines, at);
      shown.add(head(lines, start, end));
      shown.addAll(body(lines.subList(start, end)));
      at = end;
    }
    return shown;
  }

  /** Where the lines end that belong together: before so many that are the same. */
  private static int end(List<Line> lines, int from) {
    int lastChange = from;
    for (int i = from; i < lines.size() && i - lastChange <= 2 * CONTEXT; i++) {
      lastChange = lines.get(i).side() == Side.BOTH ? lastChange : i;
    }
    return Math.min(lines.size(), lastChange + 1 + CONTEXT);
  }

  private static String head(List<Line> lines, int start, int end) {
    return "@@ -"
        + range(lines, start, end, Side.AFTER)
        + " +"
        + range(lines, start, end, Side.BEFORE)
        + " @@";
  }

  /** First line and number of lines of one text, which is without those of the other. */
  private static String range(List<Line> lines, int start, int end, Side other) {
    long before = lines.subList(0, start).stream().filter(it -> it.side() != other).count();
    long count = lines.subList(start, end).stream().filter(it -> it.side() != other).count();
    long first = count == 0 ? before : before + 1;
    return count == 1 ? Long.toString(first) : first + "," + count;
  }

  private static List<String> body(List<Line> lines) {
    List<String> shown = new ArrayList<>();
    int at = 0;
    while (at < lines.size()) {
      int removed = run(lines, at, Side.BEFORE);
      int added = run(lines, at + removed, Side.AFTER);
      if (removed == 1 && added == 1) {
        shown.addAll(pair(lines.get(at).text(), lines.get(at + 1).text()));
        at += 2;
      } else {
        int next = at + Math.max(1, removed + added);
        lines.subList(at, next).forEach(it -> shown.add(it.side().sign + cut(it.text(), 0)));
        at = next;
      }
    }
    return shown;
  }

  private static int run(List<Line> lines, int from, Side side) {
    int at = from;
    while (at < lines.size() && lines.get(at).side() == side) {
      at++;
    }
    return at - from;
  }

  /** One line that became another: where they are long, the place where they begin to differ. */
  private static List<String> pair(String before, String after) {
    int same = 0;
    while (same < Math.min(before.length(), after.length())
        && before.charAt(same) == after.charAt(same)) {
      same++;
    }
    int from = Math.max(0, same - AROUND);
    return List.of("-" + cut(before, from), "+" + cut(after, from));
  }

  private static String cut(String line, int from) {
    if (line.length() <= LONGEST_LINE) {
      return line;
    }
    int start = whole(line, from);
    int end = whole(line, Math.min(line.length(), start + LONGEST_LINE));
    return (start > 0 ? "…" : "") + line.substring(start, end) + (end < line.length() ? "…" : "");
  }

  /** Not between the two halves of a character. */
  private static int whole(String line, int at) {
    return at > 0 && at < line.length() && Character.isLowSurrogate(line.charAt(at)) ? at - 1 : at;
  }
}
