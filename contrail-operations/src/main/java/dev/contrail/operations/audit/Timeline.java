package dev.contrail.operations.audit;

import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * When some messages of a stream were published. Sequences and times ascend together, so these tell
 * of messages that are gone as well.
 */
final class Timeline {
  private final NavigableMap<Long, Long> millisBySequence = new TreeMap<>();

  void add(long sequence, long millis) {
    millisBySequence.put(sequence, millis);
  }

  /** Before this a message cannot have been published, as far as is known. */
  Optional<Instant> earliest(long sequence) {
    return time(millisBySequence.floorEntry(sequence));
  }

  /** After this a message cannot have been published, as far as is known. */
  Optional<Instant> latest(long sequence) {
    return time(millisBySequence.ceilingEntry(sequence));
  }

  private static Optional<Instant> time(Map.@Nullable Entry<Long, Long> entry) {
    return Optional.ofNullable(entry).map(it -> Instant.ofEpochMilli(it.getValue()));
  }

  /** The last message that is known to be from before that time. */
  OptionalLong lastBefore(Instant time) {
    return millisBySequence.entrySet().stream()
        .filter(entry -> entry.getValue() < time.toEpochMilli())
        .mapToLong(Map.Entry::getKey)
        .max();
  }

  /** The first message that is known to be from that time or after it. */
  OptionalLong firstFrom(Instant time) {
    return millisBySequence.entrySet().stream()
        .filter(entry -> entry.getValue() >= time.toEpochMilli())
        .mapToLong(Map.Entry::getKey)
        .min();
  }
}
