package dev.contrail.ledger.log;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is known to be true, whatever a ledger says: when messages may have been stored, from when
 * on somebody was told so, and what was forgotten. Moments are numbers that grow with every event.
 */
final class Books {
  private record Confirmed(long earliestStored, long told) {}

  private final Map<Message, TreeSet<Long>> stored = new HashMap<>();
  private final Map<Message, List<Confirmed>> confirmed = new HashMap<>();
  private final Map<Long, TreeSet<Long>> forgotten = new HashMap<>();
  private final Set<Long> reused = new HashSet<>();
  private long moment;
  private long lost;

  /** A new moment. */
  long next() {
    return ++moment;
  }

  /** A record was appended that may hold this one. */
  void stored(Message message) {
    stored.computeIfAbsent(message, m -> new TreeSet<>()).add(next());
  }

  /** Somebody who asked for it at that moment was told that it is recorded. */
  void confirmed(Message message, long asked) {
    Long earliest = stored.getOrDefault(message, new TreeSet<>()).higher(asked);
    if (earliest == null) {
      throw new AssertionError("foul: " + message + " is confirmed, and no record holds it");
    }
    confirmed.computeIfAbsent(message, m -> new ArrayList<>()).add(new Confirmed(earliest, next()));
  }

  void forgotten(long sequence) {
    forgotten.computeIfAbsent(sequence, s -> new TreeSet<>()).add(next());
  }

  /** All that was stored is lost. */
  void allLost() {
    lost = next();
  }

  /** The sequence was handed out a second time. */
  void reused(long sequence) {
    reused.add(sequence);
  }

  boolean isReused(long sequence) {
    return reused.contains(sequence);
  }

  /** Whether any look-up asked at that moment and answered now must say that it is completed. */
  boolean mustBeCompleted(Message message, long asked) {
    TreeSet<Long> forgets = forgotten.getOrDefault(message.sequence(), new TreeSet<>());
    long since = Math.max(lost, forgets.isEmpty() ? 0 : forgets.last());
    return confirmed.getOrDefault(message, List.of()).stream()
        .anyMatch(one -> one.earliestStored > since && one.told <= asked);
  }

  /** Whether no look-up asked at that moment and answered now may say that it is completed. */
  boolean cannotBeCompleted(Message message, long asked) {
    Long forget = forgotten.getOrDefault(message.sequence(), new TreeSet<>()).floor(asked);
    TreeSet<Long> moments = stored.getOrDefault(message, new TreeSet<>());
    return moments.isEmpty() || (forget != null && moments.last() < forget);
  }

  void check(Message message, boolean completed, long asked, String who) {
    if (!completed && mustBeCompleted(message, asked)) {
      throw new AssertionError("foul: " + who + " does not know that " + message + " is completed");
    }
    if (completed && cannotBeCompleted(message, asked)) {
      throw new AssertionError("foul: " + who + " takes " + message + " for completed");
    }
  }
}
