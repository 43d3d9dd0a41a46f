package dev.contrail.event;

import dev.contrail.event.EventAddress.Family;
import java.time.Instant;

/**
 * Something that was decided about a dead letter, or became of it.
 *
 * @param by who decided, such as {@code ann@host}, or which worker saw it
 */
public record Event(EventAddress address, Instant at, String by, Fact fact) {
  /** The newest version of the stored form that this release reads and writes. */
  public static final int EVENT_VERSION = 2;

  public Event {
    if (address.family() != familyOf(fact)) {
      throw new IllegalArgumentException(
          "'" + fact.kind() + "' cannot be stored as " + address.family());
    }
  }

  /** The oldest version of the stored form that can tell it: who reads that can read on. */
  int version() {
    return fact instanceof Step.Edited edited && edited.differenceBytes() > 0 ? 2 : 1;
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
