package dev.contrail.failure;

import java.nio.charset.StandardCharsets;

/** Shortens text to a number of bytes of UTF-8. */
final class Utf8 {
  static final String ELLIPSIS = "…";
  private static final int ELLIPSIS_BYTES = ELLIPSIS.getBytes(StandardCharsets.UTF_8).length;

  private Utf8() {}

  /** The text itself where it fits, else its beginning and an ellipsis. */
  static String cap(String text, int maxBytes) {
    int whole = prefix(text, maxBytes);
    if (whole == text.length()) {
      return text;
    }
    return text.substring(0, prefix(text, maxBytes - ELLIPSIS_BYTES)) + ELLIPSIS;
  }

  /** How many chars from the start fit, without parting a surrogate pair. */
  static int prefix(String text, int maxBytes) {
    int at = 0;
    int bytes = 0;
    while (at < text.length()) {
      int codePoint = text.codePointAt(at);
      bytes += bytesOf(codePoint);
      if (bytes > maxBytes) {
        break;
      }
      at += Character.charCount(codePoint);
    }
    return at;
  }

  private static int bytesOf(int codePoint) {
    if (codePoint < 0x80) {
      return 1;
    }
    if (codePoint < 0x800) {
      return 2;
    }
    return codePoint < 0x10000 ? 3 : 4;
  }
}
