package dev.contrail.console.pages;

/** Browsers send every line end of a form as CR LF, whatever it was. */
final class LineEnds {
  private LineEnds() {}

  /**
   * Whether a form gives back what it was given: no control characters, and line ends of a kind.
   */
  static boolean isSafe(String text) {
    String without = text.replace("\r\n", "");
    boolean mixed = text.contains("\r\n") && without.indexOf('\n') >= 0;
    return !mixed
        && without.chars().noneMatch(c -> (c < ' ' && c != '\n' && c != '\t') || c == 0x7F);
  }

  /** The text with line ends like those of the other one. */
  static String like(String original, String sent) {
    return original.contains("\r\n") ? sent : sent.replace("\r\n", "\n");
  }
}
