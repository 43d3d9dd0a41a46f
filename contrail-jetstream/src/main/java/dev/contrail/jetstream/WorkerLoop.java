package dev.contrail.jetstream;

import dev.contrail.engine.Now;
import dev.contrail.engine.Worker;
import dev.contrail.engine.WorkerStatus;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread on which the worker lives: in every cycle first the time, then what came in, then
 * what is to go out. All other threads only leave signals.
 */
final class WorkerLoop {
  private static final Logger log = LoggerFactory.getLogger(WorkerLoop.class);
  private static final int SIGNALS_PER_CYCLE = 1_024;

  // To wake a thread costs as much as to handle some twenty messages. After many at once more are
  // to come; a moment later they come together. At low rates nothing waits for that.
  private static final int MANY_SIGNALS = 32;
  private static final long BREATH = Duration.ofNanos(200_000).toNanos();

  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long STATUS_EVERY = Duration.ofMillis(50).toNanos();

  private final ConcurrentLinkedQueue<Signal> signals = new ConcurrentLinkedQueue<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Worker<Delivered> worker;
  private final long idleNanos;
  private final Thread thread;
  private final LongPredicate endCycle;
  private volatile boolean idle;
  private volatile boolean mayEnd;
  private volatile boolean stopped;
  private volatile WorkerStatus status;
  private long statusNanos;
  private Now ticked = now();
  private boolean allSaid;

  /**
   * @param endCycle called with the time at the end of every cycle; tells whether all that was to
   *     be said to the server is said
   */
  WorkerLoop(String name, Worker<Delivered> worker, Duration ackWait, LongPredicate endCycle) {
    this.worker = worker;
    this.endCycle = endCycle;
    this.status = worker.status();
    // A tenth of AckWait keeps the leases; never longer than a person would notice.
    this.idleNanos = Math.min(ackWait.toNanos() / 10, Duration.ofMillis(20).toNanos());
    this.thread = new Thread(this::run, name);
    this.thread.setDaemon(true);
  }

  static Now now() {
    return new Now(System.nanoTime(), System.currentTimeMillis());
  }

  void start() {
    thread.start();
  }

  void send(Signal signal) {
    signals.add(signal);
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
      while (!stopped && !(mayEnd && allSaid && signals.isEmpty() && worker.isDrained())) {
        int taken = cycle();
        if (taken == 0) {
          rest();
        } else if (taken >= MANY_SIGNALS && signals.isEmpty()) {
          LockSupport.parkNanos(this, BREATH);
        }
      }
      status = worker.status();
    } finally {
      ended.countDown();
    }
  }

  /** Nothing may end this thread: nobody else keeps the leases. */
  private int cycle() {
    try {
      tick(now());
      int taken = takeSignals();
      allSaid = false;
      guarded((w, at) -> allSaid = endCycle.test(at.nanos()), at(System.nanoTime()));
      return taken;
    } catch (RuntimeException | Error e) {
      complain(e);
      return 0;
    }
  }

  private int takeSignals() {
    int taken = 0;
    Signal next;
    while (taken < SIGNALS_PER_CYCLE && (next = signals.poll()) != null) {
      // A process may stand still between any two signals: none is taken at an old time, and
      // after a while the worker is told the time first, so that it notices.
      long nanos = System.nanoTime();
      if (nanos - ticked.nanos() > idleNanos) {
        tick(now());
        nanos = System.nanoTime();
      }
      guarded(next, at(nanos));
      taken++;
    }
    return taken;
  }

  /** By the wall clock as it was at the last tick: to ask it for every signal costs too much. */
  private Now at(long nanos) {
    return new Now(nanos, ticked.epochMillis() + (nanos - ticked.nanos()) / NANOS_PER_MILLI);
  }

  private void tick(Now now) {
    ticked = now;
    guarded((w, at) -> w.tick(at), now);
    if (now.nanos() - statusNanos > STATUS_EVERY) {
      statusNanos = now.nanos();
      status = worker.status();
    }
  }

  /** A bug in one step, or a lack of memory, must not end the leases of all the others. */
  private void guarded(Signal signal, Now now) {
    try {
      signal.apply(worker, now);
    } catch (RuntimeException | Error e) {
      complain(e);
    }
  }

  private static void complain(Throwable failure) {
    try {
      log.error(
          "a step of the worker failed; this is a bug in Contrail, or a lack of memory", failure);
    } catch (RuntimeException | Error unloggable) {
      // Logging is not ours, and may need memory too. The leases of all messages matter more.
      failure.addSuppressed(unloggable);
    }
  }

  private void rest() {
    idle = true;
    if (signals.isEmpty() && !stopped) {
      LockSupport.parkNanos(this, idleNanos);
    }
    idle = false;
  }
}
