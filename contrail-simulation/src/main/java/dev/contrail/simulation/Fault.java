package dev.contrail.simulation;

/** What may go wrong in a schedule. The seed chooses which of them do. */
enum Fault {
  /** Workers are killed between any two commands. */
  KILLS,
  /** Workers stand still, some for longer than their lease. */
  FREEZES,
  /** Connections break, and come back. */
  DISCONNECTS,
  /** Nothing passes for a while, and then all of it. */
  STALLS,
  /** Single messages to the server get lost, or their answers. */
  LOSSES,
  /** Answers take seconds. */
  DELAYS,
  /** The ledger's stream answers nothing, or refuses. */
  LEDGER_OUTAGES,
  /** The stream of dead letters does. */
  DEAD_LETTER_OUTAGES,
  /** What is kept of replays does. */
  EVENT_OUTAGES,
  /** Whoever replays is killed between any two commands. */
  OPERATOR_KILLS,
  /** The bucket of notes does. */
  NOTE_OUTAGES,
  /** The server is stopped or killed, and may forget what was acked. */
  SERVER_RESTARTS,
  /** Wall clocks jump. */
  CLOCK_JUMPS,
  /** Somebody deletes the consumer, or changes it. */
  CONSUMER_CHANGES,
  /** Workers are ended in peace, and others started. */
  DRAINS,
  /** What handlers depend on is away. */
  HANDLER_OUTAGES
}
