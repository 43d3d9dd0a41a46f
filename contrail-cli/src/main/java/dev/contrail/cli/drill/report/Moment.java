package dev.contrail.cli.drill.report;

import java.util.Locale;

/**
 * Something that happened in a drill.
 *
 * @param millis after its beginning
 * @param what in a few words
 */
public record Moment(long millis, Kind kind, String what) {
  /** What sort of thing. */
  public enum Kind {
    STEP,
    KILL,
    FAULT,
    BACK,
    QUIET;

    /** As it is shown. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
