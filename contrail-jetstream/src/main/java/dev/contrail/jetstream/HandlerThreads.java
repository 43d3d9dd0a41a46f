package dev.contrail.jetstream;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The threads on which handlers run: up to {@code concurrency}, started as they are needed, ended
 * when they were idle for a while. A thread whose handler was given up is replaced.
 */
final class HandlerThreads {
  private static final long IDLE_SECONDS = 60;
  private static final ThreadLocal<Boolean> IN_HANDLER = ThreadLocal.withInitial(() -> false);

  private final LinkedBlockingQueue<Run> queue = new LinkedBlockingQueue<>();
  private final ThreadFactory threads;
  private final Consumer<Run> body;
  private final int concurrency;
  private int started;
  private int idle;
  private boolean closed;

  HandlerThreads(int concurrency, ThreadFactory threads, Consumer<Run> body) {
    this.concurrency = concurrency;
    this.threads = threads;
    this.body = body;
  }

  void submit(Run run) {
    queue.add(run);
    startIfNeeded();
  }

  /** Gives the thread of a run up that does not heed its interruption. */
  void replace(Run run) {
    if (run.abandon()) {
      synchronized (this) {
        started--;
      }
      startIfNeeded();
    }
  }

  /** Begins with nothing more. */
  synchronized void close() {
    closed = true;
    queue.clear();
  }

  /** Whether this is called by a handler. */
  static boolean isOne() {
    return IN_HANDLER.get();
  }

  private synchronized void startIfNeeded() {
    if (idle < queue.size() && started < concurrency && !closed) {
      Thread thread = threads.newThread(this::work);
      started++;
      try {
        thread.start();
      } catch (Error e) {
        // No memory for another thread: those that are there do the work.
        started--;
        throw e;
      }
    }
  }

  private void work() {
    boolean counted = true;
    IN_HANDLER.set(true);
    try {
      Run run;
      while (counted && (run = next()) != null) {
        body.accept(run);
        counted = !run.isAbandoned();
      }
    } finally {
      if (counted) {
        leave();
      }
    }
  }

  private @Nullable Run next() {
    Run run = queue.poll();
    if (run != null) {
      return run;
    }
    changeIdle(1);
    try {
      run = queue.poll(IDLE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      // Only a handler's run is ever interrupted, and that has ended: nothing to heed here.
      run = queue.poll();
    } finally {
      changeIdle(-1);
    }
    if (run != null) {
      // Whoever queued another meanwhile took this thread for an idle one.
      startIfNeeded();
    }
    return run;
  }

  private synchronized void changeIdle(int by) {
    idle += by;
  }

  private synchronized void leave() {
    started--;
    // One may have been queued between the last look and this line.
    if (!queue.isEmpty()) {
      startIfNeeded();
    }
  }
}
