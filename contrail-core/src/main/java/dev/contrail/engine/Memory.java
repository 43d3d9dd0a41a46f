package dev.contrail.engine;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What this worker remembers of messages that it returned: since when they fail, and on which
 * delivery it returned them. Bounded; what is forgotten is only looked up once more.
 */
final class Memory {
  private static final int MOST = 50_000;

  private record Returned(long failingSinceMillis, long deliveries) {}

  private final Map<Long, Returned> returned =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Returned> eldest) {
          return size() > MOST;
        }
      };

  void returned(InFlight<?> message, Now now) {
    returned.merge(
        message.sequence(),
        new Returned(now.epochMillis(), message.deliveries()),
        (old, latest) -> new Returned(old.failingSinceMillis, latest.deliveries));
  }

  void over(InFlight<?> message) {
    if (!returned.isEmpty()) {
      returned.remove(message.sequence());
    }
  }

  void clear() {
    returned.clear();
  }

  /** Whether this worker returned it and does not know that it is over. */
  boolean isReturned(long sequence) {
    return returned.containsKey(sequence);
  }

  /** Since when it fails: first seen by this worker, or published, if that was later. */
  long failingSince(InFlight<?> message, Now now) {
    Returned seen = returned.get(message.sequence());
    long firstSeen = seen == null ? now.epochMillis() : seen.failingSinceMillis;
    return Math.max(message.publishedMillis(), firstSeen);
  }

  /** Whether nobody can have held it since this worker returned it. */
  boolean comesStraightBack(InFlight<?> message) {
    Returned seen = returned.get(message.sequence());
    return seen != null && message.deliveries() == seen.deliveries + 1;
  }
}
