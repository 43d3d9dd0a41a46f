package dev.contrail.jetstream;

import dev.contrail.engine.Worker;
import dev.contrail.engine.WorkerStatus;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;

/** The one thread on which the worker lives. All others only leave signals. */
final class WorkerLoop implements SignalTarget {
  // To wake a thread costs as much as to handle some twenty messages. After many at once more are
  // to come; a moment later they come together. At low rates nothing waits for that.
  private static final int MANY_SIGNALS = 32;
  private static final long BREATH = Duration.ofNanos(200_000).toNanos();

  private static final long STATUS_EVERY = Duration.ofMillis(50).toNanos();

  private final CountDownLatch ended = new CountDownLatch(1);
  private final WorkerCycle cycle;
  private final long idleNanos;
  private final Thread thread;
  private final Pulse pulse;
  private volatile boolean idle;
  private volatile boolean mayEnd;
  private volatile boolean stopped;
  private volatile WorkerStatus status;
  private long statusNanos;

  /**
   * Of a worker.
   *
   * @param endCycle called with the time at the end of every cycle; tells whether all that was to
   *     be said to the server is said
   * @param pulse is told when the worker was told the time
   */
  WorkerLoop(
      String name,
      Worker<Delivered> worker,
      Duration ackWait,
      LongPredicate endCycle,
      Pulse pulse) {
    this.pulse = pulse;
    // A tenth of AckWait keeps the leases; never longer than a person would notice.
    this.idleNanos = Math.min(ackWait.toNanos() / 10, Duration.ofMillis(20).toNanos());
    this.cycle = new WorkerCycle(worker, idleNanos, endCycle, pulse::told, JvmSurroundings.JVM);
    this.status = worker.status();
    this.thread = new Thread(this::run, name);
    this.thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  @Override
  public void send(Signal signal) {
    cycle.add(signal);
    if (idle) {
      LockSupport.unpark(thread);
    }
  }

  WorkerStatus status() {
    return status;
  }

  /** From now on the loop ends when the worker is drained: nothing more will be delivered. */
  void endWhenDrained() {
    mayEnd = true;
    LockSupport.unpark(thread);
  }

  /** Ends the loop without any further word to the server. */
  void stop() {
    stopped = true;
    LockSupport.unpark(thread);
  }

  boolean awaitEnd(Duration timeout) throws InterruptedException {
    return ended.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Whether this is called on its thread. */
  boolean isCurrentThread() {
    return Thread.currentThread() == thread;
  }

  private void run() {
    try {
      while (!stopped && !(mayEnd && cycle.isDone())) {
        int taken = cycle.run();
        look();
        if (taken == 0) {
          rest();
        } else if (taken >= MANY_SIGNALS && !cycle.hasSignals()) {
          LockSupport.parkNanos(this, BREATH);
        }
      }
      status = cycle.status();
    } finally {
      pulse.end();
      ended.countDown();
    }
  }

  private void look() {
    long ticked = cycle.tickedNanos();
    if (ticked - statusNanos > STATUS_EVERY) {
      statusNanos = ticked;
      status = cycle.status();
    }
  }

  private void rest() {
    idle = true;
    if (!cycle.hasSignals() && !stopped) {
      LockSupport.parkNanos(this, idleNanos);
    }
    idle = false;
  }
}
