package dev.contrail.engine;

/** What messages weighed of late, on average. */
final class RecentSize {
  private static final int REMEMBERED = 64;

  private double average;
  private int seen;

  void add(long bytes) {
    seen = Math.min(seen + 1, REMEMBERED);
    average += (bytes - average) / seen;
  }

  /** At least 1. */
  long average(long whileUnknown) {
    return Math.max(1, seen == 0 ? whileUnknown : (long) Math.ceil(average));
  }
}
