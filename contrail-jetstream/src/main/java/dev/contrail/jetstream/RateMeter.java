package dev.contrail.jetstream;

import dev.contrail.engine.WorkerCounts;
import dev.contrail.jetstream.report.WorkerReport.Rates;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** How much a worker did a second over the last half minute. Not thread-safe. */
final class RateMeter {
  private static final long OVER = Duration.ofSeconds(30).toNanos();
  private static final double NANOS_PER_SECOND = 1e9;

  private record Sample(long nanos, WorkerCounts counts) {}

  private final Deque<Sample> samples = new ArrayDeque<>();

  Rates add(WorkerCounts counts, long nowNanos) {
    samples.addLast(new Sample(nowNanos, counts));
    while (samples.size() > 2 && nowNanos - samples.getFirst().nanos > OVER) {
      samples.removeFirst();
    }
    Sample first = samples.getFirst();
    double seconds = (nowNanos - first.nanos) / NANOS_PER_SECOND;
    if (seconds <= 0) {
      return Rates.NONE;
    }
    return new Rates(
        (counts.done() - first.counts.done()) / seconds,
        (counts.retried() - first.counts.retried()) / seconds,
        (counts.deduplicated() - first.counts.deduplicated()) / seconds,
        (counts.dead() - first.counts.dead()) / seconds);
  }
}
