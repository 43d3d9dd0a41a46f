package dev.contrail.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How the outcome of a replay will be known. */
public enum Outlook {
  /** The worker tells. */
  TOLD,
  /** Of a consumer that is not Contrail's: the stream lets go of what was acknowledged. */
  INFERRED,
  /** Not at all: the stream keeps messages whatever becomes of them. */
  UNKNOWN;

  /** As it is stored and shown, such as {@code told}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Optional<Outlook> parse(String text) {
    return Arrays.stream(values()).filter(one -> one.text().equals(text)).findFirst();
  }
}
