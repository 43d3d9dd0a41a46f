package dev.contrail.engine;

/** What can happen to a message that this worker holds. */
public enum DeliveryEvent {
  /** Nothing speaks against running it. */
  CLEARED,
  /** Its turn has come, and something is to be done before it runs. */
  PREPARED,
  /** Handed to the handler's threads. */
  STARTED,
  /** Taken back before the handler's threads began with it. */
  RECALLED,
  /** What must be known before it may run is not known any more. */
  DOUBTED,
  /** Its outcome is to be noted before it is acted on. */
  NOTE_OUTCOME,
  /** Kept for another try while the circuit breaker is open. */
  HELD,
  /** The circuit breaker lets it run again. */
  RELEASED,
  /** Its completion is to be recorded. */
  COMPLETED,
  /** Its evidence is to be stored. */
  DYING,
  /** Acknowledged to the server. */
  ACKED,
  /** Returned to the server. */
  NAKED,
  /** Terminated on the server. */
  TERMED,
  /** A step on it failed midway. */
  STUMBLED,
  /** The lease ran out. */
  LEASE_LOST,
  /** The server delivered it to this worker once more. */
  REDELIVERED,
  /** The handler ended, or its completion was recorded, after the lease had been lost. */
  ENDED_UNLEASED
}
