package dev.contrail.simulation;

/** What may go wrong around a guard. */
enum GuardedFault {
  /** Guards are killed between any two commands. */
  GUARD_KILLS,
  /** Clients are. */
  CLIENT_KILLS,
  /** Guards stand still. */
  FREEZES,
  /** Guards are cut off, and come back. */
  DISCONNECTS,
  /** The server is stopped or killed, and may forget what was delivered and acked. */
  SERVER_RESTARTS,
  /** The consumer is made again, or has another MaxDeliver. */
  CONSUMER_CHANGES,
  /** The server says once more what it said before. */
  REPEATED_ADVISORIES,
  /** The stream of dead letters answers nothing, or refuses. */
  DEAD_LETTER_OUTAGES,
  /** Single messages to the server get lost, or their answers. */
  LOSSES,
  /** Answers take seconds. */
  DELAYS
}
