package dev.contrail.cli.output;

import java.lang.Character.UnicodeScript;
import java.util.List;

/** How many columns of a terminal a text takes. */
public final class DisplayWidth {
  private record Range(int first, int last) {
    boolean holds(int c) {
      return c >= first && c <= last;
    }
  }

  // Pictographs, full-width forms and the punctuation of East Asian scripts.
  private static final List<Range> WIDE =
      List.of(
          new Range(0x1F300, 0x1FAFF),
          new Range(0xFF01, 0xFF60),
          new Range(0xFFE0, 0xFFE6),
          new Range(0x3000, 0x303E));

  private DisplayWidth() {}

  static int of(String text) {
    return text.codePoints().map(DisplayWidth::of).sum();
  }

  /** The text cut to that many columns, with an ellipsis where something was cut. */
  public static String fit(String text, int columns) {
    if (of(text) <= columns) {
      return text;
    }
    return start(text, columns - 1) + '…';
  }

  /** The same with the ellipsis in the middle, for texts that differ at their ends. */
  static String fitMiddle(String text, int columns) {
    if (of(text) <= columns) {
      return text;
    }
    int end = (columns - 1) / 2;
    return start(text, columns - 1 - end) + '…' + reversed(start(reversed(text), end));
  }

  private static String reversed(String text) {
    return new StringBuilder(text).reverse().toString();
  }

  private static String start(String text, int columns) {
    StringBuilder kept = new StringBuilder();
    int room = columns;
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      int c = text.codePointAt(i);
      room -= of(c);
      if (room < 0) {
        break;
      }
      kept.appendCodePoint(c);
    }
    return kept.toString();
  }

  private static int of(int c) {
    switch (Character.getType(c)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> {
        return 0;
      }
      default -> {
        return isWide(c) ? 2 : 1;
      }
    }
  }

  private static boolean isWide(int c) {
    if (c < 0x1100) {
      return false;
    }
    if (WIDE.stream().anyMatch(range -> range.holds(c))) {
      return true;
    }
    return switch (UnicodeScript.of(c)) {
      case HAN, HIRAGANA, KATAKANA, HANGUL, BOPOMOFO, YI -> c < 0xFF61 || c > 0xFFDC;
      default -> false;
    };
  }
}
