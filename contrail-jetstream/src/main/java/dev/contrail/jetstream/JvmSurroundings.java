package dev.contrail.jetstream;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clocks and threads of the JVM. What runs in the background does not use the JVM's common pool: an
 * application that blocks that one would keep its dead letters from being written.
 */
final class JvmSurroundings implements Surroundings {
  static final Surroundings JVM = new JvmSurroundings();

  private static final Logger log = LoggerFactory.getLogger(JvmSurroundings.class);
  private static final int THREADS = 2;
  private static final SecureRandom SEEDS = new SecureRandom();

  private final Executor background = backgroundThreads();

  private JvmSurroundings() {}

  private static Executor backgroundThreads() {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            body -> daemon(body, "contrail-background"));
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  private static Thread daemon(Runnable body, String name) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Clock clock() {
    return Clock.systemUTC();
  }

  @Override
  public Executor background() {
    return background;
  }

  @Override
  public Executor background(Duration delay) {
    return CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS, background);
  }

  @Override
  public void start(String thread, Runnable task) {
    daemon(task, thread).start();
  }

  @Override
  public Timer timer(String thread) {
    return new ThreadTimer(
        Executors.newSingleThreadScheduledExecutor(body -> daemon(body, thread)));
  }

  @Override
  public RandomGenerator random() {
    return new SplittableRandom(SEEDS.nextLong());
  }

  private record ThreadTimer(ScheduledExecutorService thread) implements Timer {
    @Override
    public void in(Duration delay, Runnable task) {
      try {
        var unused = thread.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException e) {
        log.debug("closed meanwhile", e);
      }
    }

    @Override
    public void every(Duration pause, Runnable task) {
      var unused =
          thread.scheduleWithFixedDelay(
              task, pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
      thread.shutdownNow();
    }
  }
}
