package dev.contrail.jetstream;

import dev.contrail.engine.Now;
import dev.contrail.engine.Worker;
import dev.contrail.engine.WorkerStatus;
import java.time.Clock;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done again and again with a worker: first the time, then what came in, then what is to go
 * out. Signals may be left from any thread; all else is for whoever drives it.
 */
final class WorkerCycle {
  private static final Logger log = LoggerFactory.getLogger(WorkerLoop.class);
  private static final int SIGNALS_PER_CYCLE = 1_024;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final ConcurrentLinkedQueue<Signal> signals = new ConcurrentLinkedQueue<>();
  private final Worker<Delivered> worker;
  private final long longestNanos;
  private final LongPredicate endCycle;
  private final Runnable timeTold;
  private final Surroundings surroundings;
  private final Clock clock;
  private Now ticked;
  private boolean allSaid;

  /**
   * Of a worker.
   *
   * @param longestNanos after this the worker is told the time before it is told anything else
   * @param endCycle called with the time at the end of every cycle; tells whether all that was to
   *     be said to the server is said
   * @param timeTold called when the worker was told the time, and has drawn its conclusions
   */
  WorkerCycle(
      Worker<Delivered> worker,
      long longestNanos,
      LongPredicate endCycle,
      Runnable timeTold,
      Surroundings surroundings) {
    this.worker = worker;
    this.longestNanos = longestNanos;
    this.endCycle = endCycle;
    this.timeTold = timeTold;
    this.surroundings = surroundings;
    this.clock = surroundings.clock();
    this.ticked = now();
  }

  void add(Signal signal) {
    signals.add(signal);
  }

  /** Tells the worker at once, before it is told the time. */
  void tell(Signal signal) {
    guarded(signal, now());
  }

  boolean hasSignals() {
    return !signals.isEmpty();
  }

  /** Whether nothing is left to be done by a worker that is being drained. */
  boolean isDone() {
    return allSaid && signals.isEmpty() && worker.isDrained();
  }

  WorkerStatus status() {
    return worker.status();
  }

  /** Does it once; returns how many signals there were. Nothing may make it fail. */
  int run() {
    try {
      tick(now());
      int taken = takeSignals();
      allSaid = false;
      guarded((w, at) -> allSaid = endCycle.test(at.nanos()), at(surroundings.nanoTime()));
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
      long nanos = surroundings.nanoTime();
      if (nanos - ticked.nanos() > longestNanos) {
        tick(now());
        nanos = surroundings.nanoTime();
      }
      guarded(next, at(nanos));
      taken++;
    }
    return taken;
  }

  private Now now() {
    return new Now(surroundings.nanoTime(), clock.millis());
  }

  /** By the wall clock as it was at the last tick: to ask it for every signal costs too much. */
  private Now at(long nanos) {
    return new Now(nanos, ticked.epochMillis() + (nanos - ticked.nanos()) / NANOS_PER_MILLI);
  }

  private void tick(Now now) {
    ticked = now;
    guarded((w, at) -> w.tick(at), now);
    timeTold.run();
  }

  /** When the worker was last told the time, on the monotonic clock. */
  long tickedNanos() {
    return ticked.nanos();
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
}
