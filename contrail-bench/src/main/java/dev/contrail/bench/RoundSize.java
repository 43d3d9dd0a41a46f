package dev.contrail.bench;

import dev.contrail.bench.report.Workload;
import java.time.Duration;

/**
 * How many messages a round takes, so that it lasts about as long as it should: 1, 2 or 5 times a
 * power of ten, for contenders that are about as fast share a stream then.
 */
final class RoundSize {
  /** What the first round begins with, when nothing is known yet. */
  static final int FIRST = 2_000;

  private static final int LEAST = 200;
  private static final long MOST_BYTES = 256L * 1024 * 1024;
  private static final double TOLERANCE = 1.25;

  private RoundSize() {}

  /**
   * As many as a contender of that speed gets through in little more than {@code length}.
   *
   * @param most never more than this, nor more bytes than a disk should be bothered with
   */
  static int of(double perSecond, Duration length, Workload workload, int most) {
    double wanted = perSecond * TOLERANCE * length.toMillis() / 1000.0;
    double room = Math.min(most, MOST_BYTES / (double) workload.payloadBytes());
    int size = 1;
    int[] factors = {2, 5, 10};
    for (int power = 1; power < 1_000_000_000; power *= 10) {
      for (int factor : factors) {
        int next = power * factor;
        if (next <= room && (next <= wanted || next <= LEAST)) {
          size = Math.max(size, next);
        }
      }
      if (power >= 100_000_000) {
        break;
      }
    }
    return size;
  }
}
