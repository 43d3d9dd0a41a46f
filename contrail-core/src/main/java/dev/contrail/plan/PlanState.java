package dev.contrail.plan;

import java.time.Instant;
import java.util.Locale;

/**
 * Who runs a plan, or that it was ended.
 *
 * @param why it was ended, empty where there is nothing to say
 */
public record PlanState(Kind kind, Instant at, String by, String why) {
  /** How it stands with a plan. */
  public enum Kind {
    /** Nobody began with it. */
    NEW,
    RUNNING,
    /** Somebody said so. It may be resumed. */
    CANCELLED,
    /** It ended by itself before all was done. It may be resumed. */
    STOPPED,
    /** All that could be published is. */
    FINISHED;

    /** As it is stored and shown, such as {@code running}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
