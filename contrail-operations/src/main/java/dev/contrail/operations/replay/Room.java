package dev.contrail.operations.replay;

/**
 * Limits how many entries are under way at once, and how large they are together. Whoever finds it
 * full waits until a good part of it is free: woken for each that ends, it would do little else.
 * Thread-safe.
 */
final class Room {
  private static final int PART_TO_WAIT_FOR = 8;

  private final int most;
  private final int mostKilobytes;
  private int underWay;
  private int kilobytes;

  Room(int most, int mostKilobytes) {
    this.most = most;
    this.mostKilobytes = mostKilobytes;
  }

  /** Waits for room for one more. */
  synchronized void enter(int size) throws InterruptedException {
    int weight = weight(size);
    if (underWay == most || kilobytes + weight > mostKilobytes) {
      while (!isPartFree() || kilobytes + weight > mostKilobytes) {
        wait();
      }
    }
    underWay++;
    kilobytes += weight;
  }

  synchronized void leave(int size) {
    underWay--;
    kilobytes -= weight(size);
    if (isPartFree()) {
      notifyAll();
    }
  }

  /** Waits until nothing is under way. */
  synchronized void awaitEmpty() throws InterruptedException {
    while (underWay > 0) {
      wait();
    }
  }

  private boolean isPartFree() {
    return underWay <= most - Math.max(1, most / PART_TO_WAIT_FOR);
  }

  /** One that is larger than all room has it alone. */
  private int weight(int size) {
    return Math.min(mostKilobytes, size);
  }
}
