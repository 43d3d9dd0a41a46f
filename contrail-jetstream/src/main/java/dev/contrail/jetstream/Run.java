package dev.contrail.jetstream;

import dev.contrail.engine.InFlight;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** One run of a handler: queued, then run by one thread or taken back, and perhaps interrupted. */
final class Run {
  private enum State {
    QUEUED,
    RUNNING,
    RECALLED,
    ENDED
  }

  private final InFlight<Delivered> message;
  private final Delivered delivered;
  private final long deliveries;
  private State state = State.QUEUED;
  private @Nullable Thread thread;
  private long startedNanos;
  private boolean abandoned;

  Run(InFlight<Delivered> message) {
    this.message = message;
    this.delivered = message.message();
    this.deliveries = message.deliveries();
  }

  InFlight<Delivered> message() {
    return message;
  }

  /** The delivery that started it; the message may have been delivered again since. */
  Delivered delivered() {
    return delivered;
  }

  long deliveries() {
    return deliveries;
  }

  boolean begin(long nanos) {
    return begin(nanos, Thread.currentThread());
  }

  /** The same where nothing runs on a thread that could be interrupted. */
  boolean beginWithoutThread(long nanos) {
    return begin(nanos, null);
  }

  private synchronized boolean begin(long nanos, @Nullable Thread by) {
    if (state != State.QUEUED) {
      return false;
    }
    state = State.RUNNING;
    thread = by;
    startedNanos = nanos;
    return true;
  }

  /** Ends it, and with it the right to interrupt this thread, which goes on with something else. */
  synchronized void end() {
    state = State.ENDED;
    if (thread != null) {
      thread = null;
      Thread.interrupted();
    }
  }

  synchronized boolean recall() {
    if (state != State.QUEUED) {
      return false;
    }
    state = State.RECALLED;
    return true;
  }

  synchronized OptionalLong startedNanos() {
    return state == State.RUNNING ? OptionalLong.of(startedNanos) : OptionalLong.empty();
  }

  /** Interrupts its thread and returns where that was. */
  synchronized StackTraceElement[] interrupt() {
    if (thread == null) {
      return new StackTraceElement[0];
    }
    StackTraceElement[] stack = thread.getStackTrace();
    thread.interrupt();
    return stack;
  }

  /** Its thread is no longer counted on; another takes its place. Returns whether that is news. */
  synchronized boolean abandon() {
    if (abandoned || state != State.RUNNING) {
      return false;
    }
    abandoned = true;
    return true;
  }

  synchronized boolean isAbandoned() {
    return abandoned;
  }
}
