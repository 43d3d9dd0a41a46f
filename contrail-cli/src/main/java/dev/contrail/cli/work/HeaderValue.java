package dev.contrail.cli.work;

import java.nio.charset.StandardCharsets;

/** Makes any text fit for an HTTP header: what is not printable ASCII, and %, become %XX. */
final class HeaderValue {
  private HeaderValue() {}

  static boolean isPlain(String text) {
    return text.chars().allMatch(c -> c >= ' ' && c < 0x7F);
  }

  static String of(String text) {
    StringBuilder value = new StringBuilder();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      if (b > ' ' && b < 0x7F && b != '%') {
        value.append((char) b);
      } else {
        value.append(String.format("%%%02X", b & 0xFF));
      }
    }
    return value.toString();
  }
}
