package dev.contrail.jetstream;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of a publisher: one that looks after time, one that may wait for the server, and one
 * for what callers run on results, so that their slowness keeps no answer from coming in.
 */
final class PublisherThreads implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ContrailPublisher.class);
  private static final long EVERY_MILLIS = 50;

  private final ScheduledExecutorService ticker =
      Executors.newSingleThreadScheduledExecutor(daemon("contrail-publisher"));
  private final ScheduledExecutorService looker =
      Executors.newSingleThreadScheduledExecutor(daemon("contrail-publisher-claims"));
  private final ResultThread resultThread = new ResultThread();
  private final ExecutorService results = Executors.newSingleThreadExecutor(resultThread);

  void tick(Runnable step) {
    var unused =
        ticker.scheduleWithFixedDelay(
            () -> unharmed(step), EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
  }

  void look(Runnable step) {
    var unused =
        looker.scheduleWithFixedDelay(
            () -> unharmed(step), EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Runs it on the thread for results; on this one when that is gone. */
  void result(Runnable completion) {
    try {
      results.execute(completion);
    } catch (RejectedExecutionException closed) {
      completion.run();
    }
  }

  boolean isResultThread() {
    return resultThread.is(Thread.currentThread());
  }

  /** Results that wait are still told. */
  @Override
  public void close() {
    ticker.shutdownNow();
    looker.shutdownNow();
    results.shutdown();
    try {
      if (!isResultThread() && !results.awaitTermination(5, TimeUnit.SECONDS)) {
        log.warn("what was to run on results of a closed publisher is still running");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // A step that failed once must not keep the next from being done.
  private static void unharmed(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      log.error("a publisher's step failed", e);
    }
  }

  private static ThreadFactory daemon(String name) {
    return body -> {
      Thread thread = new Thread(body, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  private static final class ResultThread implements ThreadFactory {
    private volatile @Nullable Thread thread;

    @Override
    public Thread newThread(Runnable body) {
      Thread made = daemon("contrail-publisher-results").newThread(body);
      thread = made;
      return made;
    }

    boolean is(Thread other) {
      return thread == other;
    }
  }
}
