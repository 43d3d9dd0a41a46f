package dev.contrail.operations.view;

import java.util.regex.Pattern;

/**
 * Text from outside (subjects, exception messages, payloads) made safe to show: without escape
 * sequences that would steer the terminal, without control characters, on one line.
 */
public final class PlainText {
  /** No script piles more of them on one letter; jokers do, over the lines above. */
  private static final int MOST_MARKS = 4;

  // Nothing is given back, and a beginning ends what was begun before it: a text of a million
  // beginnings is read once, and not once for each.
  private static final Pattern ESCAPE =
      Pattern.compile(
          "(?:\u001B\\[|\u009B)[0-?]*+[ -/]*+[@-~]" // colours, cursor movements
              + "|(?:\u001B[\\]PX^_]|[\u009D\u0090\u0098\u009E\u009F])"
              + "[^\u0007\u001B\u0080-\u009F]*+(?:\u0007|\u001B\\\\|\u009C|$)" // titles, links,
              // clipboard
              + "|\u001B[ -/]*+[0-~]?");

  private PlainText() {}

  /** One line without anything a terminal would act upon. */
  public static String of(String text) {
    String stripped = text.indexOf('\u001B') < 0 && !hasC1(text) ? text : strip(text);
    StringBuilder line = new StringBuilder(stripped.length());
    int marks = 0;
    for (int i = 0; i < stripped.length(); ) {
      int c = stripped.codePointAt(i);
      i += Character.charCount(c);
      marks = isMark(c) ? marks + 1 : 0;
      if (marks <= MOST_MARKS) {
        append(line, c);
      }
    }
    return line.toString();
  }

  private static boolean isMark(int c) {
    int type = Character.getType(c);
    return type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK;
  }

  private static String strip(String text) {
    return ESCAPE.matcher(text).replaceAll("");
  }

  private static boolean hasC1(String text) {
    return text.chars().anyMatch(c -> c >= 0x80 && c <= 0x9F);
  }

  private static void append(StringBuilder line, int c) {
    switch (Character.getType(c)) {
      case Character.CONTROL -> {
        if (c == '\n' || c == '\t' || c == '\r') {
          line.append(' ');
        }
      }
      case Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> line.append(' ');
      case Character.SURROGATE -> line.append('\uFFFD');
      case Character.FORMAT -> {
        // Left out: they turn the direction of text or hide parts of it.
      }
      default -> line.appendCodePoint(c);
    }
  }
}
