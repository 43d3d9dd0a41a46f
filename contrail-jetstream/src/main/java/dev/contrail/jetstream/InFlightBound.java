package dev.contrail.jetstream;

/**
 * Bounds how many messages, and how many bytes of them, are under way at once. A message that is
 * larger than the bound is let in when no other is there. Whoever may not wait is let in beyond it.
 */
final class InFlightBound {
  private final int most;
  private final long mostBytes;
  private int messages;
  private long bytes;
  private boolean closed;

  InFlightBound(int most, long mostBytes) {
    this.most = most;
    this.mostBytes = mostBytes;
  }

  /** Waits for room; false when it was closed, and nothing was let in. */
  synchronized boolean enter(long size, boolean mayWait) throws InterruptedException {
    while (!closed && mayWait && messages > 0 && (messages >= most || bytes + size > mostBytes)) {
      wait();
    }
    if (closed) {
      return false;
    }
    messages++;
    bytes += size;
    return true;
  }

  synchronized void leave(long size) {
    messages--;
    bytes -= size;
    notifyAll();
  }

  /** Lets nobody in any more. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  /** Waits until all have left, at most so long. */
  synchronized void awaitEmpty(long nanos) throws InterruptedException {
    long end = System.nanoTime() + nanos;
    long left = nanos;
    while (messages > 0 && left > 0) {
      wait(left / 1_000_000 + 1);
      left = end - System.nanoTime();
    }
  }

  synchronized int messages() {
    return messages;
  }

  synchronized long bytes() {
    return bytes;
  }
}
