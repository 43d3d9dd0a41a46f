package dev.contrail.jetstream;

import dev.contrail.event.CopyPlace;
import dev.contrail.event.ReplayCopy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Copies that have the turn to be run and were seen to be gone from their stream. A handler may be
 * at one still, so each is given the time that a handler has at the most. Thread-safe.
 */
final class GoneHolders {
  private static final int MOST = 10_000;

  private final long longestRunNanos;
  private final Map<Holder, Long> since = new LinkedHashMap<>();

  GoneHolders(Duration longestRun) {
    this.longestRunNanos = longestRun.toNanos();
  }

  private record Holder(ReplayCopy copy, CopyPlace place) {}

  /** Whether nobody can be running it any more, which is seen to be gone now. */
  synchronized boolean isOver(ReplayCopy copy, CopyPlace place, long nowNanos) {
    Holder holder = new Holder(copy, place);
    long first = since.computeIfAbsent(holder, any -> nowNanos);
    if (nowNanos - first >= longestRunNanos) {
      since.remove(holder);
      return true;
    }
    if (since.size() > MOST) {
      // The oldest is waited for anew, should it be asked for again.
      since.remove(since.keySet().iterator().next());
    }
    return false;
  }
}
