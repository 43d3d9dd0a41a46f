package dev.contrail.operations.replay;

import java.util.ArrayList;
import java.util.List;

/** Which lines two texts have in common, and which only one of them has. */
final class LineDifference {
  // Beyond that, finding what they have in common takes too long and too much memory.
  private static final int MOST_COMPARED = 1_000;

  /** A line, and who has it. */
  record Line(Side side, String text) {}

  enum Side {
    BOTH(' '),
    BEFORE('-'),
    AFTER('+');

    final char sign;

    Side(char sign) {
      this.sign = sign;
    }
  }

  private LineDifference() {}

  /** All lines of both; of lines that were changed, those from before come first. */
  static List<Line> of(List<String> before, List<String> after) {
    int most = Math.min(before.size(), after.size());
    int start = 0;
    while (start < most && before.get(start).equals(after.get(start))) {
      start++;
    }
    int end = 0;
    while (end < most - start
        && before.get(before.size() - 1 - end).equals(after.get(after.size() - 1 - end))) {
      end++;
    }
    List<Line> lines = new ArrayList<>();
    add(lines, Side.BOTH, before.subList(0, start));
    changed(
        lines,
        before.subList(start, before.size() - end),
        after.subList(start, after.size() - end));
    add(lines, Side.BOTH, before.subList(before.size() - end, before.size()));
    return lines;
  }

  private static void add(List<Line> lines, Side side, List<String> texts) {
    texts.forEach(text -> lines.add(new Line(side, text)));
  }

  private static void changed(List<Line> lines, List<String> before, List<String> after) {
    if (before.size() > MOST_COMPARED || after.size() > MOST_COMPARED) {
      add(lines, Side.BEFORE, before);
      add(lines, Side.AFTER, after);
      return;
    }
    int[][] common = common(before, after);
    int i = 0;
    int j = 0;
    while (i < before.size() || j < after.size()) {
      boolean bothLeft = i < before.size() && j < after.size();
      if (bothLeft && before.get(i).equals(after.get(j))) {
        lines.add(new Line(Side.BOTH, before.get(i++)));
        j++;
      } else if (j >= after.size() || (bothLeft && common[i + 1][j] >= common[i][j + 1])) {
        lines.add(new Line(Side.BEFORE, before.get(i++)));
      } else {
        lines.add(new Line(Side.AFTER, after.get(j++)));
      }
    }
  }

  /** How many lines the ends of both have in common, from each line of each on. */
  private static int[][] common(List<String> before, List<String> after) {
    int[][] common = new int[before.size() + 1][after.size() + 1];
    for (int i = before.size() - 1; i >= 0; i--) {
      for (int j = after.size() - 1; j >= 0; j--) {
        common[i][j] =
            before.get(i).equals(after.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    return common;
  }
}
