package dev.contrail.operations.audit;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * When some messages of a stream were published. Sequences and times ascend together, so these tell
 * of messages that are gone as well.
 */
final class Timeline {
  /** The messages themselves tell it exactly, ledgers to the millisecond. */
  private record Published(Instant earliest, Instant latest) {}

  private static final Duration LEDGER_PRECISION = Duration.ofMillis(1);

  private final NavigableMap<Long, Published> bySequence = new TreeMap<>();

  /** What a ledger tells. */
  void add(long sequence, long millis) {
    Instant earliest = Instant.ofEpochMilli(millis);
    bySequence.putIfAbsent(
        sequence, new Published(earliest, earliest.plus(LEDGER_PRECISION).minusNanos(1)));
  }

  /** What the message itself tells. */
  void add(long sequence, Instant published) {
    bySequence.put(sequence, new Published(published, published));
  }

  /** Before this a message cannot have been published, as far as is known. */
  Optional<Instant> earliest(long sequence) {
    return Optional.ofNullable(bySequence.floorEntry(sequence)).map(it -> it.getValue().earliest());
  }

  /** After this a message cannot have been published, as far as is known. */
  Optional<Instant> latest(long sequence) {
    return Optional.ofNullable(bySequence.ceilingEntry(sequence)).map(it -> it.getValue().latest());
  }

  /** The last message that is known to be from before that time. */
  OptionalLong lastBefore(Instant time) {
    return bySequence.entrySet().stream()
        .filter(entry -> entry.getValue().latest().isBefore(time))
        .mapToLong(Map.Entry::getKey)
        .max();
  }
}
