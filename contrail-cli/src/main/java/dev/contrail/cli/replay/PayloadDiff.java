package dev.contrail.cli.replay;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What differs between two payloads, line by line. */
final class PayloadDiff {
  private static final int CONTEXT = 2;
  private static final int MOST_LINES_COMPARED = 2_000;

  private PayloadDiff() {}

  static boolean isText(byte[] payload) {
    return text(payload).isPresent();
  }

  /**
   * Lines that are gone begin with {@code -}, new ones with {@code +}, and some around them with a
   * blank. Where one of them is no text, a line tells their sizes.
   */
  static List<String> of(byte[] before, byte[] after) {
    Optional<String> old = text(before);
    Optional<String> now = text(after);
    if (old.isEmpty() || now.isEmpty()) {
      return List.of(before.length + " bytes before, " + after.length + " bytes now");
    }
    return of(lines(old.get()), lines(now.get()));
  }

  private static List<String> of(List<String> before, List<String> after) {
    int start = 0;
    int most = Math.min(before.size(), after.size());
    while (start < most && before.get(start).equals(after.get(start))) {
      start++;
    }
    int end = 0;
    while (end < most - start
        && before.get(before.size() - 1 - end).equals(after.get(after.size() - 1 - end))) {
      end++;
    }
    List<String> difference = new ArrayList<>();
    before.subList(Math.max(0, start - CONTEXT), start).forEach(it -> difference.add("  " + it));
    difference.addAll(
        changed(
            before.subList(start, before.size() - end), after.subList(start, after.size() - end)));
    before
        .subList(before.size() - end, Math.min(before.size(), before.size() - end + CONTEXT))
        .forEach(it -> difference.add("  " + it));
    return difference;
  }

  /** By their longest common part, unless finding it would take too long. */
  private static List<String> changed(List<String> before, List<String> after) {
    List<String> difference = new ArrayList<>();
    if (before.size() > MOST_LINES_COMPARED || after.size() > MOST_LINES_COMPARED) {
      before.forEach(it -> difference.add("- " + it));
      after.forEach(it -> difference.add("+ " + it));
      return difference;
    }
    int[][] common = common(before, after);
    int i = 0;
    int j = 0;
    while (i < before.size() || j < after.size()) {
      boolean bothLeft = i < before.size() && j < after.size();
      if (bothLeft && before.get(i).equals(after.get(j))) {
        difference.add("  " + before.get(i++));
        j++;
      } else if (j >= after.size() || (bothLeft && common[i + 1][j] >= common[i][j + 1])) {
        difference.add("- " + before.get(i++));
      } else {
        difference.add("+ " + after.get(j++));
      }
    }
    return difference;
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

  private static List<String> lines(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split("\n", -1));
  }

  private static Optional<String> text(byte[] payload) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(payload)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
