package dev.contrail.jetstream;

import dev.contrail.event.CopyPlace;
import dev.contrail.event.ReplayCopy;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Turns that copies claimed when the one that had the turn before was seen to be gone from its
 * stream. A handler may be at that one still, so each waits for as long as a handler has at the
 * most. Thread-safe.
 */
final class LaterTurns {
  private static final int MOST = 10_000;

  /** The clocks of two servers of a cluster may differ by so much. */
  private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(1);

  private final Duration longestRun;
  private final Map<Turn, Long> since = new LinkedHashMap<>();

  LaterTurns(Duration longestRun) {
    this.longestRun = longestRun;
  }

  /** The turn of that number, of the copy at that place. */
  record Turn(ReplayCopy copy, CopyPlace place, int number) {}

  /**
   * How long ago a turn was claimed, at the least.
   *
   * @param longestRuns in runs of the longest time, whole ones
   */
  record Age(long longestRuns) {
    static final Age NONE = new Age(0);

    /** Whether nobody can be running the copy before any more. */
    boolean isDue() {
      return longestRuns >= 1;
    }

    /** Whether nobody can be running the copy that claimed it either, had it begun when due. */
    boolean isPassed() {
      return longestRuns >= 2;
    }
  }

  /**
   * By how long this process has known of the turn, or by when it was claimed, for workers may be
   * started more often than that.
   *
   * @param storedAt when the server stored the claim
   * @param serverNow what the server's clock says at the least, if it tells
   */
  synchronized Age age(Turn turn, Instant storedAt, Optional<Instant> serverNow, long nowNanos) {
    long first = since.computeIfAbsent(turn, any -> nowNanos);
    if (since.size() > MOST) {
      // The oldest is waited for anew, should it be asked for again.
      since.remove(since.keySet().iterator().next());
    }
    Duration known = Duration.ofNanos(nowNanos - first);
    Duration claimed =
        serverNow
            .map(now -> Duration.between(storedAt.plus(CLOCKS_DIFFER), now))
            .orElse(Duration.ZERO);
    return new Age((known.compareTo(claimed) > 0 ? known : claimed).dividedBy(longestRun));
  }
}
