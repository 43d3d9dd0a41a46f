package dev.contrail.engine;

import java.time.Duration;

/**
 * What is worth telling about a worker. Success is not among it: it is counted, not told.
 *
 * @param <M> what the runtime knows a delivery by
 */
public sealed interface WorkerEvent<M> {
  /** The message failed and will be delivered again. */
  record Retrying<M>(InFlight<M> message, Throwable cause, Duration delay, boolean shortened)
      implements WorkerEvent<M> {}

  /** Its dead letter is stored and it was terminated. */
  record Dead<M>(InFlight<M> message) implements WorkerEvent<M> {}

  /** It came back although its dead letter exists, and was terminated without being run. */
  record AlreadyDead<M>(InFlight<M> message) implements WorkerEvent<M> {}

  /** The lease ran out; nothing more is sent for this delivery. */
  record LeaseLost<M>(InFlight<M> message) implements WorkerEvent<M> {}

  /** A step on it failed midway, by a bug or for lack of memory; it is let go in silence. */
  record Stumbled<M>(InFlight<M> message, Throwable cause) implements WorkerEvent<M> {}

  /** The handler ran too long and was interrupted. */
  record TimedOut<M>(InFlight<M> message) implements WorkerEvent<M> {}

  /** A handler that had timed out was done after all; that is recorded. */
  record DoneLate<M>(InFlight<M> message) implements WorkerEvent<M> {}

  /** Nothing succeeds any more: the window is held and tried one by one. */
  record BreakerOpened<M>(Throwable lastCause) implements WorkerEvent<M> {}

  /** A message succeeded: work goes on. */
  record BreakerClosed<M>() implements WorkerEvent<M> {}

  /** Every message of a full window failed while the breaker was open; they are returned. */
  record WindowLetGo<M>(int messages) implements WorkerEvent<M> {}

  /** A store does not answer or refuses; the messages that need it are held. */
  record StoreDown<M>(StoreKind store, Throwable cause) implements WorkerEvent<M> {}

  /** The store answers again. */
  record StoreBack<M>(StoreKind store) implements WorkerEvent<M> {}

  /** The dead letter of this message alone cannot be read or stored; it is held. */
  record Refused<M>(InFlight<M> message, Throwable cause) implements WorkerEvent<M> {}

  /** The process stood still so long that deliveries of unknown age are let go. */
  record StoodStill<M>(Duration gap) implements WorkerEvent<M> {}

  /** The server went silent; the pulls under way are given up and made anew. */
  record PullsStalled<M>() implements WorkerEvent<M> {}
}
