package dev.contrail.jetstream;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The threads on which handlers run: up to {@code concurrency}, started as they are needed, ended
 * when they were idle for a while. A thread whose handler was given up is replaced.
 *
 * <p>At most one thread at a time is on its way to the queue, and wakes the next if there is more
 * to do when it gets there. So handlers that wait get as many threads as there are, one after
 * another, while a burst of short ones is worked off by those that are awake.
 */
final class HandlerThreads implements Handlers {
  private static final ThreadLocal<Boolean> IN_HANDLER = ThreadLocal.withInitial(() -> false);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition queued = lock.newCondition();
  private final Deque<Run> queue = new ArrayDeque<>();
  private final ThreadFactory threads;
  private final Consumer<Run> body;
  private final int concurrency;
  private final long idleNanos;
  private int started;
  private int idle;
  private boolean onItsWay;
  private volatile boolean startFailed;
  private boolean closed;

  /**
   * @param keptIdle for how long a thread waits for more to do before it ends
   */
  HandlerThreads(int concurrency, Duration keptIdle, ThreadFactory threads, Consumer<Run> body) {
    this.concurrency = concurrency;
    this.idleNanos = keptIdle.toNanos();
    this.threads = threads;
    this.body = body;
  }

  @Override
  public void submit(List<Run> runs) {
    lock.lock();
    try {
      queue.addAll(runs);
      sendOne();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void startMissing() {
    if (startFailed) {
      lock.lock();
      try {
        startFailed = false;
        sendOne();
      } finally {
        lock.unlock();
      }
    }
  }

  @Override
  public void replace(Run run) {
    if (run.abandon()) {
      lock.lock();
      try {
        started--;
        sendOne();
      } finally {
        lock.unlock();
      }
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      queue.clear();
    } finally {
      lock.unlock();
    }
  }

  /** Whether this is called by a handler. */
  static boolean isOne() {
    return IN_HANDLER.get();
  }

  /** With the lock held. */
  private void sendOne() {
    if (onItsWay || closed || queue.isEmpty()) {
      return;
    }
    if (idle > 0) {
      onItsWay = true;
      queued.signal();
    } else if (started < concurrency) {
      start();
    }
  }

  private void start() {
    Thread thread = threads.newThread(this::work);
    started++;
    onItsWay = true;
    try {
      thread.start();
    } catch (Error e) {
      // No memory for another thread: those that are there do the work.
      started--;
      onItsWay = false;
      startFailed = true;
      throw e;
    }
  }

  private void work() {
    boolean counted = true;
    IN_HANDLER.set(true);
    try {
      Run run = first();
      while (run != null) {
        body.accept(run);
        counted = !run.isAbandoned();
        run = counted ? next() : null;
      }
    } finally {
      if (counted) {
        leave();
      }
    }
  }

  private @Nullable Run first() {
    lock.lock();
    try {
      onItsWay = false;
      Run run = queue.poll();
      if (run == null) {
        return awaited();
      }
      sendOne();
      return run;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Run next() {
    lock.lock();
    try {
      Run run = queue.poll();
      return run == null ? awaited() : run;
    } finally {
      lock.unlock();
    }
  }

  /** With the lock held: the next that is queued, or null when there was none for long. */
  private @Nullable Run awaited() {
    long left = idleNanos;
    Run run = null;
    while (run == null && left > 0) {
      idle++;
      try {
        left = queued.awaitNanos(left);
      } catch (InterruptedException e) {
        // Only a handler's run is ever interrupted, and that has ended: nothing to heed here.
      } finally {
        idle--;
        onItsWay = false;
      }
      run = queue.poll();
    }
    if (run != null) {
      sendOne();
    }
    return run;
  }

  private void leave() {
    lock.lock();
    try {
      started--;
      // One may have been queued since the last look.
      sendOne();
    } finally {
      lock.unlock();
    }
  }
}
