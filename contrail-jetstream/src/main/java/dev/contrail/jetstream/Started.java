package dev.contrail.jetstream;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A worker whose duty cycle is run by a test, on its thread. */
final class Started {
  private static final long IDLE = Duration.ofMillis(20).toNanos();

  private final ConsumerStarter.Parts parts;
  private final SteppedAcks acks;
  private final OwnThread handlers;
  private final WorkerCycle cycle;
  private volatile Thread thread = Thread.currentThread();

  Started(ConsumerStarter.Parts parts, SteppedAcks acks, OwnThread handlers, Clock clock) {
    this.parts = parts;
    this.acks = acks;
    this.handlers = handlers;
    this.cycle =
        new WorkerCycle(
            parts.assembly().worker(),
            IDLE,
            parts.assembly().port()::endCycle,
            parts.pulse()::told,
            new MovedAhead(clock));
    parts
        .relay()
        .to(
            signal -> {
              cycle.add(signal);
              LockSupport.unpark(thread);
            });
  }

  ConsumerStarter.Parts parts() {
    return parts;
  }

  SteppedAcks acks() {
    return acks;
  }

  OwnThread handlers() {
    return handlers;
  }

  /** One cycle, the same that production runs; returns how many signals there were. */
  int cycle() {
    thread = Thread.currentThread();
    return cycle.run();
  }

  /** Tells the worker at once, before the next cycle. */
  void tell(Signal signal) {
    cycle.tell(signal);
  }

  /** Whether a worker that was told to drain is, and has said all it had to say. */
  boolean isDone() {
    return cycle.isDone();
  }

  /** Until there is something to do, or it is time to look after the leases. */
  void rest() {
    if (!cycle.hasSignals()) {
      LockSupport.parkNanos(this, IDLE);
    }
  }
}
