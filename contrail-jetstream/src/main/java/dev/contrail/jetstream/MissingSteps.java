package dev.contrail.jetstream;

import dev.contrail.event.EventAddress;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Steps that messages name and that were not found. Whoever answered may have led the events and
 * lost touch with the other servers, or have been frozen, and not know what these have stored
 * since. So a step is taken for missing only when it was not found, again and again, for longer
 * than that may last. Thread-safe.
 */
final class MissingSteps {
  /** A leader looks every 10 s whether it has heard from the others within 10 s. */
  static final Duration LONGEST_LAG = Duration.ofSeconds(20);

  /** Nothing is known of the time in between where a step was not asked for in that time. */
  static final Duration ASKED_WITHIN = Duration.ofMinutes(1);

  /** For so long, more messages that name a missing step are not held. */
  static final Duration REMEMBERED = Duration.ofMinutes(10);

  static final int MOST = 10_000;

  /** By when they were last asked for. */
  private final Map<EventAddress, Misses> steps = new LinkedHashMap<>(16, 0.75f, true);

  private record Misses(long firstNanos, long lastNanos) {
    boolean areEnough() {
      return lastNanos - firstNanos >= LONGEST_LAG.toNanos();
    }

    boolean standAt(long nanos) {
      return areEnough()
          ? nanos - firstNanos < REMEMBERED.toNanos()
          : nanos - lastNanos < ASKED_WITHIN.toNanos();
    }
  }

  /** It was not found now. Returns whether there is no such step, as opposed to none yet. */
  synchronized boolean isMissing(EventAddress step, long nanos) {
    Misses before = steps.get(step);
    if (before == null && !makeRoom(nanos)) {
      return false;
    }
    long first = before != null && before.standAt(nanos) ? before.firstNanos() : nanos;
    Misses misses = new Misses(first, nanos);
    steps.put(step, misses);
    return misses.areEnough();
  }

  /** It was found, or nobody could be asked: what was not found before tells nothing any more. */
  synchronized void forget(EventAddress step) {
    steps.remove(step);
  }

  synchronized int size() {
    return steps.size();
  }

  /**
   * One that messages wait for is not dropped for another: where there are more of them than are
   * kept here, none would ever be known to be missing.
   */
  private boolean makeRoom(long nanos) {
    if (steps.size() < MOST) {
      return true;
    }
    Iterator<Misses> all = steps.values().iterator();
    Misses eldest = all.next();
    boolean unneeded = eldest.areEnough() || !eldest.standAt(nanos);
    if (unneeded) {
      all.remove();
    }
    return unneeded;
  }
}
