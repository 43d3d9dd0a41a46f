package dev.contrail.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Counts completions by the time they have left. Its size does not grow with them. */
final class TtlTally {
  private static final List<Duration> USUAL =
      List.of(
          Duration.ofMinutes(1),
          Duration.ofMinutes(10),
          Duration.ofHours(1),
          Duration.ofHours(6),
          Duration.ofDays(1),
          Duration.ofDays(2),
          Duration.ofDays(7),
          Duration.ofDays(30));

  private final long ackFloor;
  private final long ackWaitMillis;
  private final List<Duration> edges;
  private final long[] counts;
  private long completions;
  private long endless;
  private long unacked;
  private long unackedTooShort;
  private long shortest = Long.MAX_VALUE;
  private long longest = -1;

  TtlTally(long ackFloor, Duration effectiveAckWait) {
    this.ackFloor = ackFloor;
    this.ackWaitMillis = effectiveAckWait.toMillis();
    this.edges =
        Stream.concat(USUAL.stream(), Stream.of(effectiveAckWait)).distinct().sorted().toList();
    this.counts = new long[edges.size() + 1];
  }

  /**
   * Counts one.
   *
   * @param millis as {@code PTTL} answers
   */
  void add(long sequence, long millis) {
    if (millis < -1) {
      return;
    }
    completions++;
    boolean tooShort = millis >= 0 && millis < ackWaitMillis;
    if (sequence > ackFloor) {
      unacked++;
      unackedTooShort += tooShort ? 1 : 0;
    }
    if (millis < 0) {
      endless++;
      return;
    }
    shortest = Math.min(shortest, millis);
    longest = Math.max(longest, millis);
    int band = 0;
    while (band < edges.size() && millis >= edges.get(band).toMillis()) {
      band++;
    }
    counts[band]++;
  }

  TtlDistribution result() {
    List<TtlDistribution.Band> bands = new ArrayList<>(counts.length);
    for (int i = 0; i < counts.length; i++) {
      bands.add(
          new TtlDistribution.Band(
              i == 0 ? Duration.ZERO : edges.get(i - 1),
              i == edges.size() ? Optional.empty() : Optional.of(edges.get(i)),
              counts[i]));
    }
    boolean any = longest >= 0;
    return new TtlDistribution(
        completions,
        endless,
        unacked,
        unackedTooShort,
        any ? Optional.of(Duration.ofMillis(shortest)) : Optional.empty(),
        any ? Optional.of(Duration.ofMillis(longest)) : Optional.empty(),
        bands);
  }
}
