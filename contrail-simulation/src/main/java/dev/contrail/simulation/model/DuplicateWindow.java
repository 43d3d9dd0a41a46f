package dev.contrail.simulation.model;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/** The message ids that a stream remembers, oldest first. */
final class DuplicateWindow {
  private record Seen(long sequence, long untilNanos) {}

  private final long windowNanos;
  private final Map<String, Seen> ids = new LinkedHashMap<>();

  DuplicateWindow(long windowNanos) {
    this.windowNanos = windowNanos;
  }

  void remember(String id, long sequence, long now) {
    ids.put(id, new Seen(sequence, now + windowNanos));
  }

  /** The sequence that the message with this id got. */
  OptionalLong find(String id) {
    Seen seen = ids.get(id);
    return seen == null ? OptionalLong.empty() : OptionalLong.of(seen.sequence());
  }

  OptionalLong nextDue() {
    return ids.values().stream().mapToLong(Seen::untilNanos).min();
  }

  void forgetDue(long now) {
    ids.values().removeIf(seen -> seen.untilNanos() <= now);
  }
}
