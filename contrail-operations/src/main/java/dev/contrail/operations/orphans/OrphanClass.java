package dev.contrail.operations.orphans;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Why nobody takes a message. */
public enum OrphanClass {
  /** No consumer's filter takes its subject. */
  UNCLAIMED,
  /** The consumers that claim it will not be given it again. */
  EXHAUSTED,
  /** More messages than their consumers account for; which ones cannot be told now. */
  SUSPECTED,
  /** Kept for a durable consumer that nobody has read from for long. */
  FORGOTTEN;

  /** As it is shown and typed. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The class that is written so. */
  public static Optional<OrphanClass> parse(String text) {
    return Arrays.stream(values()).filter(it -> it.text().equals(text)).findFirst();
  }

  /** Whether messages of it can be taken away: it is known which, and that nobody wants them. */
  public boolean isReapable() {
    return this == UNCLAIMED || this == EXHAUSTED;
  }
}
