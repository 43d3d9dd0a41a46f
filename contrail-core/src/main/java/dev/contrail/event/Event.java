package dev.contrail.event;

import dev.contrail.event.EventAddress.Family;
import java.time.Instant;

/**
 * Something that was decided about a dead letter, or became of it.
 *
 * @param by who decided, such as {@code ann@host}, or which worker saw it
 */
public record Event(EventAddress address, Instant at, String by, Fact fact) {
  /** The version of the stored form that this release writes, and the newest that it reads. */
  public static final int EVENT_VERSION = 1;

  public Event {
    if (address.family() != familyOf(fact)) {
      throw new IllegalArgumentException(
          "'" + fact.kind() + "' cannot be stored as " + address.family());
    }
  }

  private static Family familyOf(Fact fact) {
    if (fact instanceof Step) {
      return Family.STEP;
    }
    if (fact instanceof ReplayOutcome) {
      return Family.OUTCOME;
    }
    if (fact instanceof Fact.Claim) {
      return Family.RUN;
    }
    return fact instanceof Fact.Skipped ? Family.SKIPPED : Family.NOTE;
  }
}
