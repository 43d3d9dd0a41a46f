package dev.contrail.engine;

import dev.contrail.failure.Classification;

/** How the run of a handler ended. */
public sealed interface Outcome {
  /** The handler returned. */
  record Done() implements Outcome {
    /** All of them are alike. */
    public static final Done DONE = new Done();
  }

  /** The codec could not read the payload; the handler did not run. */
  record Undecodable(Throwable cause) implements Outcome {}

  /** The handler threw, was timed out, or could not be started. */
  record Failed(Throwable cause, Classification classification) implements Outcome {}

  static Outcome failed(Throwable cause) {
    return new Failed(cause, Classification.of(cause));
  }

  /** Whether this speaks of trouble beyond the message itself, as the circuit breaker sees it. */
  default boolean mayBeOutage() {
    return this instanceof Failed failed
        && !(failed.classification() instanceof Classification.Rejected);
  }
}
