package dev.contrail.operations.audit;

import dev.contrail.ledger.SequenceSet;
import java.time.Duration;
import java.time.Instant;

/**
 * A stream at one moment.
 *
 * @param first its first message, or the one to come where it is empty
 * @param present what it holds, up to the last message that is audited; where a ledger tells what
 *     became of a message, it may be left out
 */
record StreamFacts(
    String name,
    Retention retention,
    Instant created,
    long first,
    Limits limits,
    SequenceSet present) {
  /** What ends the life of a message. */
  enum Retention {
    LIMITS,
    INTEREST,
    WORKQUEUE;

    /** Whether acknowledging removes. */
    boolean isByAck() {
      return this != LIMITS;
    }
  }

  /**
   * What the stream lets go of by itself.
   *
   * @param maxAge zero when there is none
   * @param full whether it holds as much as it may, and lets the oldest go
   * @param perSubject whether it lets the oldest of a subject go
   * @param ttl whether messages may have a time to live of their own
   */
  record Limits(Duration maxAge, boolean full, boolean perSubject, boolean ttl) {}
}
