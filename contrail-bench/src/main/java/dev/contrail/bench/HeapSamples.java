package dev.contrail.bench;

import java.time.Duration;

/** The most of the heap that was reachable at a time, as far as looking again and again tells. */
final class HeapSamples implements AutoCloseable {
  private static final Duration EVERY = Duration.ofMillis(50);

  private final Thread thread = new Thread(this::sample, "bench-heap");
  private volatile long most;
  private volatile boolean ending;

  HeapSamples() {
    thread.setDaemon(true);
    thread.start();
  }

  private void sample() {
    try {
      while (!ending) {
        most = Math.max(most, UsedHeap.bytes());
        Thread.sleep(EVERY.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  double megabytes() {
    return most / 1e6;
  }

  @Override
  public void close() throws InterruptedException {
    ending = true;
    thread.join();
  }
}
