package dev.contrail.failure;

import java.util.regex.Pattern;

/** A message without what differs between two cases of one bug: numbers, ids, quoted values. */
final class MessageShape {
  private static final Pattern QUOTED =
      Pattern.compile("\"[^\"]*\"|`[^`]*`|(?<![\\p{L}\\p{N}])'[^']*'");
  private static final Pattern ADDRESS = Pattern.compile("[\\w.+-]++@[\\w.-]+");
  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}_-]+");
  private static final Pattern HOLDS_DIGIT = Pattern.compile("\\p{N}");
  private static final Pattern LONG_HEX = Pattern.compile("[0-9a-fA-F]{8,}");
  private static final Pattern RUN_OF_PLACES = Pattern.compile("#(?:[.,:/+-]*#)+");
  private static final Pattern BLANKS = Pattern.compile("\\s+");

  private MessageShape() {}

  static String of(String message) {
    String shape = QUOTED.matcher(message).replaceAll("?");
    shape = ADDRESS.matcher(shape).replaceAll("#");
    shape = WORD.matcher(shape).replaceAll(word -> isId(word.group()) ? "#" : word.group());
    shape = RUN_OF_PLACES.matcher(shape).replaceAll("#");
    return BLANKS.matcher(shape).replaceAll(" ").strip();
  }

  private static boolean isId(String word) {
    return HOLDS_DIGIT.matcher(word).find() || LONG_HEX.matcher(word).matches();
  }
}
