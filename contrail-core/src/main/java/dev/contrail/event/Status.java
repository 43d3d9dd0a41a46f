package dev.contrail.event;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How it stands with a dead letter. */
public enum Status {
  /** Nothing was decided, or what was has come to nothing. */
  OPEN,
  /** It is to be replayed; whether the copy is published is not known. */
  REPLAYING,
  /** The copy is published; what becomes of it is not known yet. */
  REPLAYED,
  /** The copy was processed. */
  RESOLVED,
  /** The copy died too, and has a dead letter of its own. */
  RETURNED,
  /** The message was processed after all. */
  COMPLETED,
  /** Somebody decided that it stays as it is. */
  DISCARDED,
  /** The dead letter was deleted. */
  PURGED;

  /** As it is shown and typed, such as {@code replayed}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Status> parse(String text) {
    return Arrays.stream(values()).filter(status -> status.text().equals(text)).findFirst();
  }

  /** Whether somebody still has to do something, or something is under way. */
  public boolean isUnsettled() {
    return this == OPEN || this == REPLAYING || this == REPLAYED;
  }
}
