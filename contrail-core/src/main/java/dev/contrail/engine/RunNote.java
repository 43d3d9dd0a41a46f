package dev.contrail.engine;

import java.util.Locale;
import java.util.Optional;

/**
 * What is noted about a message at or beyond the delivery limit, outside the worker that runs it:
 * that a run was started, and that it had an outcome. A message that comes back with a start and no
 * outcome has killed or hung its worker; one whose neighbour did so has no note and is not blamed.
 *
 * @param kind what is noted
 * @param deliveries the delivery it is noted of
 */
public record RunNote(Kind kind, long deliveries) {
  private static final String VERSION = "1";

  /** What is noted. */
  public enum Kind {
    /** A run was started, and no other suspect ran beside it. */
    STARTED_ALONE,
    /** A run was started beside other suspects. */
    STARTED_IN_COMPANY,
    /** The run had an outcome. */
    ENDED
  }

  /** The stored form: {@code 1 started-alone 101}. */
  public String text() {
    return VERSION
        + ' '
        + kind.name().toLowerCase(Locale.ROOT).replace('_', '-')
        + ' '
        + deliveries;
  }

  /** Reads the stored form; empty when it is none, or one of a newer release. */
  public static Optional<RunNote> parse(String text) {
    String[] words = text.split(" ", -1);
    if (words.length != 3 || !words[0].equals(VERSION)) {
      return Optional.empty();
    }
    try {
      Kind kind = Kind.valueOf(words[1].toUpperCase(Locale.ROOT).replace('-', '_'));
      return Optional.of(new RunNote(kind, Long.parseLong(words[2])));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
