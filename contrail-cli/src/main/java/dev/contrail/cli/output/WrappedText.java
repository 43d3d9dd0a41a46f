package dev.contrail.cli.output;

import java.util.ArrayList;
import java.util.List;

/** Sentences that fit the width of a terminal; elsewhere they stay on one line. */
public final class WrappedText {
  private WrappedText() {}

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
