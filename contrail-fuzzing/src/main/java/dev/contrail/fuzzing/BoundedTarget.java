package dev.contrail.fuzzing;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Minds what a target allocates: a few bytes from outside must not fill the memory. */
final class BoundedTarget implements FuzzTarget {
  private static final long ANY_INPUT = 64L << 20;

  /** Compressed lines may unpack to a thousand times their size, and are taken apart then. */
  private static final long EACH_BYTE = 64L << 10;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final FuzzTarget target;

  BoundedTarget(FuzzTarget target) {
    this.target = target;
  }

  @Override
  public void take(byte[] data) throws Exception {
    long most = ANY_INPUT + EACH_BYTE * data.length;
    long allocated = allocatedBy(data);
    if (allocated > most) {
      // Once more, for the first time classes are loaded and instrumented, too.
      allocated = allocatedBy(data);
    }
    if (allocated > most) {
      throw new AssertionError(data.length + " bytes had it allocate " + allocated);
    }
  }

  private long allocatedBy(byte[] data) throws Exception {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    target.take(data);
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }
}
