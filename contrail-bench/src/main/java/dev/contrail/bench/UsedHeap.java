package dev.contrail.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/** How much of the heap is in use by what is still reachable. */
final class UsedHeap {
  private static final int MOST_COLLECTIONS = 10;
  private static final double SETTLED = 0.001;

  private UsedHeap() {}

  /** Collects until that changes nothing any more: references that are cleared free others. */
  static long bytes() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    long last = Long.MAX_VALUE;
    for (int i = 0; i < MOST_COLLECTIONS; i++) {
      memory.gc();
      long used = memory.getHeapMemoryUsage().getUsed();
      if (Math.abs(last - used) < used * SETTLED) {
        return used;
      }
      last = used;
    }
    return last;
  }
}
