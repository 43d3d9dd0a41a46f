package dev.contrail.engine;

/** Where a message that this worker holds is in its life. */
public enum DeliveryState {
  /** What must be known before it may run is being looked up. */
  CHECKING,
  /** May run and waits for its turn. */
  READY,
  /**
   * Its turn has come: it is looked up again, since it waited long, or its start is being noted,
   * since it is on its last chance and a worker that dies of it must be noticed.
   */
  STARTING,
  /** Handed to the handler's threads. */
  RUNNING,
  /** Runs although the lease was lost; nothing is sent for it unless it is delivered here again. */
  UNLEASED,
  /** Failed while the circuit breaker was open, and is held for another try. */
  TRIED,
  /** Was on its last chance and has an outcome, which is being noted before it is acted on. */
  NOTING,
  /** The handler is done with it; its completion is being recorded before it is acked. */
  RECORDING,
  /** As before, but the lease is lost: recorded all the same, and nothing is sent for it. */
  RECORDING_UNLEASED,
  /** Its evidence is being stored. */
  BURYING,
  /** Acknowledged, returned or terminated. */
  SETTLED,
  /** Let go in silence because the lease was lost. */
  LOST;

  public boolean isOver() {
    return this == SETTLED || this == LOST;
  }
}
