package dev.contrail.jetstream;

/** How much memory the messages that a worker holds may take, where nobody said. */
final class WindowBytes {
  private static final int A_FEW = 4;

  private WindowBytes() {}

  /** A quarter of the heap; for a few of the largest messages up to half of it. */
  static long byDefault(long maxHeap, long maxPayload) {
    return Math.max(1, Math.max(maxHeap / 4, Math.min(A_FEW * maxPayload, maxHeap / 2)));
  }
}
