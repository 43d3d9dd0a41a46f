package dev.contrail.operations.audit;

import java.util.Locale;

/** What most likely became of a message that nothing accounts for. */
public enum Cause {
  /** The stream's max age was over. */
  EXPIRED,
  /** The stream was full and let go of it. */
  OVER_LIMIT,
  /** Somebody purged the stream. */
  PURGED,
  /** Somebody deleted it, or purged its subject. */
  DELETED,
  /** Somebody took it who keeps no ledger in JetStream. */
  NO_LEDGER,
  /** The server never gave it to the consumer. */
  PASSED_OVER,
  /** The server gave up on it at MaxDeliver. */
  EXHAUSTED,
  /** Nothing speaks for any of these. */
  UNKNOWN;

  /** As it is shown, such as {@code over-limit}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
