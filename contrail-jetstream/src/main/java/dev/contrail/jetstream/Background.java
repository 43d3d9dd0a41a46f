package dev.contrail.jetstream;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads for what takes too long for the worker's own. Not the JVM's common pool: an application
 * that blocks that one would keep its dead letters from being written.
 */
final class Background {
  private static final int THREADS = 2;

  static final Executor EXECUTOR = executor();

  private Background() {}

  private static Executor executor() {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            body -> {
              Thread thread = new Thread(body, "contrail-background");
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }
}
