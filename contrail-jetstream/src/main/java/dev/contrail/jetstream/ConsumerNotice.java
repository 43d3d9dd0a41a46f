package dev.contrail.jetstream;

/**
 * Something about a consumer that its owner may want to know. The same is logged.
 *
 * @param kind what happened
 * @param text one line for people; never holds a payload, nor what the handler's exceptions say,
 *     which may quote one
 */
public record ConsumerNotice(Kind kind, String text) {
  /** What happened. */
  public enum Kind {
    RETRYING,
    DEAD,
    ALREADY_DEAD,
    REFUSED,
    REFUSED_NO_MORE,
    LEASE_LOST,
    TIMED_OUT,
    DONE_LATE,
    STUMBLED,
    BREAKER_OPENED,
    BREAKER_CLOSED,
    WINDOW_LET_GO,
    STORE_DOWN,
    STORE_BACK,
    SEQUENCES_REUSED,
    LEDGER_OBJECTS,
    LEDGER_CONTENT,
    ACK_PENDING_HIGH,
    ACK_PENDING_FULL,
    ACK_PENDING_FINE,
    STOOD_STILL,
    STALLED,
    PAUSED,
    RESUMED,
    CONSUMER_GONE,
    CONSUMER_BACK
  }
}
