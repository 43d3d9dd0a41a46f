package dev.contrail.jetstream;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * When the worker was last told the time. After a standstill of the process (a frozen container)
 * the threads of handlers go on before the worker knows which leases it lost, and would begin with
 * what another worker has done meanwhile. So they wait until it knows.
 */
final class Pulse {
  private static final int PARTS_OF_ACK_WAIT = 4;
  private static final long LOOK_EVERY = TimeUnit.MILLISECONDS.toNanos(1);

  private final long longestNanos;
  private volatile long toldNanos = System.nanoTime();
  private volatile boolean ended;

  /**
   * @param ackWait of the consumer; leases that are extended in time outlast a part of it
   */
  Pulse(Duration ackWait) {
    this.longestNanos = ackWait.toNanos() / PARTS_OF_ACK_WAIT;
  }

  /** The worker has been told the time, and has drawn its conclusions. */
  void told() {
    toldNanos = System.nanoTime();
  }

  /** Nobody tells it any more. */
  void end() {
    ended = true;
  }

  /** Waits until the worker knows the time; false when it will not any more. */
  boolean await() {
    while (!ended && System.nanoTime() - toldNanos > longestNanos) {
      // Not interrupted by anybody: only a handler's run is.
      LockSupport.parkNanos(this, LOOK_EVERY);
    }
    return !ended;
  }
}
