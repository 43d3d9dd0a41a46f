package dev.contrail.evidence;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Any text as the value of a header: printable ASCII stays as it is, the rest and {@code %} become
 * percent-encoded UTF-8, and so do blanks at either end, which readers drop. Half a surrogate pair
 * becomes U+FFFD. All that Contrail stores in headers is written so.
 */
public final class HeaderText {
  /**
   * The header that makes a publish create-once. Servers of the 2.9 line look for its name anywhere
   * in the header block and take the first place they find: where that is inside another name or a
   * value, they ignore the header itself. So no other line may hold the name.
   */
  static final String CREATE_ONCE = "Nats-Expected-Last-Subject-Sequence";

  private static final String ELLIPSIS = "…";
  private static final int REPLACEMENT = 0xFFFD;

  private HeaderText() {}

  public static String encode(String text) {
    return isItsOwnCode(text) ? text : encoded(text);
  }

  /** As most are; every value of every event and dead letter comes along here. */
  private static boolean isItsOwnCode(String text) {
    int end = text.length();
    return isPlain(text)
        && (end == 0 || (text.charAt(0) != ' ' && text.charAt(end - 1) != ' '))
        && !text.contains(CREATE_ONCE);
  }

  /** Whether it is printable ASCII without a percent sign. */
  private static boolean isPlain(String text) {
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '%' || !isPrintable(c)) {
        return false;
      }
    }
    return true;
  }

  private static String encoded(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (int at = 0; at < text.length(); ) {
      int codePoint = text.codePointAt(at);
      int next = at + Character.charCount(codePoint);
      if (codePoint == ' ' && (at == 0 || next == text.length())) {
        out.append("%20");
      } else {
        append(out, codePoint);
      }
      at = next;
    }
    return out.toString().replace(CREATE_ONCE, "%4E" + CREATE_ONCE.substring(1));
  }

  /** The whole text encoded where that fits, else its beginning and an ellipsis. */
  static String encodeWithin(String text, int maxLength) {
    String encoded = encode(text);
    int end = Math.min(text.length(), maxLength);
    while (encoded.length() > maxLength && end > 0) {
      end = text.offsetByCodePoints(end, -1);
      encoded = encode(text.substring(0, end) + ELLIPSIS);
    }
    return encoded;
  }

  /** Empty where the value is not what {@link #encode} makes. */
  public static Optional<String> decode(String value) {
    if (isPlain(value)) {
      return Optional.of(value);
    }
    byte[] bytes = new byte[value.length()];
    int length = 0;
    for (int at = 0; at < value.length(); at++) {
      char c = value.charAt(at);
      int octet = c == '%' ? octet(value, at + 1) : c;
      if (octet < 0 || !isPrintable(c)) {
        return Optional.empty();
      }
      bytes[length++] = (byte) octet;
      at += c == '%' ? 2 : 0;
    }
    return Optional.of(new String(bytes, 0, length, StandardCharsets.UTF_8));
  }

  static boolean isPrintable(int c) {
    return c >= 0x20 && c <= 0x7E;
  }

  private static void append(StringBuilder out, int codePoint) {
    if (isPrintable(codePoint) && codePoint != '%') {
      out.append((char) codePoint);
      return;
    }
    boolean halfOfPair = Character.getType(codePoint) == Character.SURROGATE;
    String character = Character.toString(halfOfPair ? REPLACEMENT : codePoint);
    for (byte octet : character.getBytes(StandardCharsets.UTF_8)) {
      out.append('%');
      out.append(Character.toUpperCase(Character.forDigit((octet >> 4) & 0xF, 16)));
      out.append(Character.toUpperCase(Character.forDigit(octet & 0xF, 16)));
    }
  }

  private static int octet(String value, int at) {
    if (at + 2 > value.length()) {
      return -1;
    }
    int high = Character.digit(value.charAt(at), 16);
    int low = Character.digit(value.charAt(at + 1), 16);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
  }
}
