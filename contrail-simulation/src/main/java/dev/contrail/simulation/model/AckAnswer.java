package dev.contrail.simulation.model;

/** What comes back to an acknowledgement that was sent as a request. */
public enum AckAnswer {
  /** The server saw it, which says nothing about whether it changed anything. */
  CONFIRMED,
  /** The server saw it and says nothing. */
  SILENCE,
  /** The consumer is not there. */
  NO_RESPONDERS
}
