package dev.contrail.operations.audit;

import java.util.Locale;

/** What became of a message for one consumer. A message has one of them at a time. */
public enum Fate {
  /** The ledger records its completion. */
  PROCESSED,
  /** It was acknowledged and not run, on record: a replay's copy for another, or a second one. */
  SKIPPED,
  /** It has a dead letter about which nothing was decided. */
  DEAD,
  /** Its dead letter is being replayed; what becomes of the copy is not known yet. */
  REPLAYED,
  /** The copy of its dead letter was processed; or it is that copy. */
  RESOLVED,
  /** The copy of its dead letter died too, and has a dead letter of its own. */
  RETURNED,
  /** It has a dead letter and was processed after all. */
  COMPLETED,
  /** Somebody decided that its dead letter stays as it is. */
  DISCARDED,
  /** It is stored and was not delivered yet. */
  WAITING,
  /** It was delivered, and is not acknowledged. */
  IN_FLIGHT,
  /** It is stored, and nobody will ever be given it. */
  ORPHANED,
  /** It is not for this consumer. */
  NOT_ADDRESSED,
  /** Nothing tells what became of it. */
  UNACCOUNTED;

  /** As it is shown, such as {@code in-flight}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether the server has to be asked once more before it is said. */
  boolean isDoubtful() {
    return this == UNACCOUNTED || this == ORPHANED;
  }
}
