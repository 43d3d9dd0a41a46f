package dev.contrail.evidence;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What of the original message a part holds. */
enum PartKind {
  SUBJECT,
  HEADERS,
  PAYLOAD;

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Optional<PartKind> parse(String text) {
    return Arrays.stream(values()).filter(kind -> kind.text().equals(text)).findFirst();
  }
}
