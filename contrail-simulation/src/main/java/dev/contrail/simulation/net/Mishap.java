package dev.contrail.simulation.net;

/** What goes wrong with a message to the server. */
public enum Mishap {
  NONE,
  /** It does not arrive. */
  LOST,
  /** It is heeded, and the answer gets lost. */
  UNANSWERED,
  /** It is heeded, and the answer takes its time. */
  LATE,
  /** The server says that it cannot store or find anything now. */
  REFUSED
}
