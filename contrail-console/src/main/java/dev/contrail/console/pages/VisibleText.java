package dev.contrail.console.pages;

/**
 * Text from outside with its lines as they are. Characters that nobody sees, that turn the
 * direction of what follows or that terminals act upon are made visible.
 */
final class VisibleText {
  private static final int PICTURES = 0x2400;

  private VisibleText() {}

  static String of(String text) {
    StringBuilder visible = new StringBuilder(text.length());
    text.codePoints().forEach(c -> append(visible, c));
    return visible.toString();
  }

  private static void append(StringBuilder visible, int c) {
    if (c == '\n' || c == '\t') {
      visible.append((char) c);
    } else if (c < ' ') {
      visible.append((char) (PICTURES + c));
    } else {
      switch (Character.getType(c)) {
        case Character.CONTROL, Character.FORMAT, Character.SURROGATE ->
            visible.append(String.format("\\u{%x}", c));
        default -> visible.appendCodePoint(c);
      }
    }
  }
}
