package dev.contrail.operations.guard;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads that keep no program from ending. */
final class Threads {
  private Threads() {}

  static Thread daemon(Runnable body, String name) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    return thread;
  }

  /** So many; what comes after they were told to end is not done. */
  static ExecutorService pool(int threads, String name) {
    return new ThreadPoolExecutor(
        threads,
        threads,
        1,
        TimeUnit.MINUTES,
        new LinkedBlockingQueue<>(),
        body -> daemon(body, name),
        new ThreadPoolExecutor.DiscardPolicy());
  }
}
