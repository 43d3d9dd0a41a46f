package dev.contrail.simulation.model;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** The messages of a stream, by sequence and by subject. It knows no limits. */
final class MessageStore {
  private final TreeMap<Long, StoredMessage> messages = new TreeMap<>();
  private final TreeMap<String, TreeSet<Long>> bySubject = new TreeMap<>();
  private long last;
  private long lastNanos;
  private boolean begun;

  StoredMessage append(Publication publication, long nanos) {
    last++;
    lastNanos = nanos;
    StoredMessage message =
        new StoredMessage(
            last, publication.subject(), publication.headers(), publication.payload(), nanos);
    messages.put(last, message);
    bySubject.computeIfAbsent(message.subject(), subject -> new TreeSet<>()).add(last);
    return message;
  }

  /** Uses up a sequence for a message that nobody wants. */
  long skip() {
    last++;
    return last;
  }

  /** Takes away all before the sequence, and begins there even if the stream ends earlier. */
  List<StoredMessage> compact(long sequence) {
    List<StoredMessage> gone = new ArrayList<>(messages.headMap(sequence).values());
    gone.forEach(message -> remove(message.sequence()));
    last = Math.max(last, sequence - 1);
    begun = true;
    return gone;
  }

  Optional<StoredMessage> remove(long sequence) {
    StoredMessage message = messages.remove(sequence);
    if (message == null) {
      return Optional.empty();
    }
    TreeSet<Long> sequences = bySubject.getOrDefault(message.subject(), new TreeSet<>());
    sequences.remove(sequence);
    if (sequences.isEmpty()) {
      bySubject.remove(message.subject());
    }
    return Optional.of(message);
  }

  Optional<StoredMessage> get(long sequence) {
    return Optional.ofNullable(messages.get(sequence));
  }

  /** The first at or after a sequence that one of the filters takes; no filters take all. */
  Optional<StoredMessage> next(Collection<String> filters, long sequence) {
    for (StoredMessage message : messages.tailMap(sequence).values()) {
      if (takes(filters, message.subject())) {
        return Optional.of(message);
      }
    }
    return Optional.empty();
  }

  Optional<StoredMessage> last(Collection<String> filters) {
    if (filters.size() == 1) {
      String filter = filters.iterator().next();
      if (!Subjects.hasWildcards(filter)) {
        return get(lastOn(filter));
      }
    }
    return messages.descendingMap().values().stream()
        .filter(message -> takes(filters, message.subject()))
        .findFirst();
  }

  long count(Collection<String> filters, long fromSequence) {
    long count = 0;
    for (StoredMessage message : messages.tailMap(fromSequence).values()) {
      if (takes(filters, message.subject())) {
        count++;
      }
    }
    return count;
  }

  List<StoredMessage> all(Collection<String> filters) {
    return messages.values().stream().filter(message -> takes(filters, message.subject())).toList();
  }

  /** The last sequence on a subject; 0 if it has no messages. */
  long lastOn(String subject) {
    TreeSet<Long> sequences = bySubject.get(subject);
    return sequences == null ? 0 : sequences.last();
  }

  long firstOn(String subject) {
    TreeSet<Long> sequences = bySubject.get(subject);
    return sequences == null ? 0 : sequences.first();
  }

  long countOn(String subject) {
    TreeSet<Long> sequences = bySubject.get(subject);
    return sequences == null ? 0 : sequences.size();
  }

  SortedMap<String, Long> subjects(String filter) {
    TreeMap<String, Long> counts = new TreeMap<>();
    bySubject.forEach(
        (subject, sequences) -> {
          if (Subjects.covers(filter, subject)) {
            counts.put(subject, (long) sequences.size());
          }
        });
    return counts;
  }

  Optional<StoredMessage> first() {
    return messages.isEmpty() ? Optional.empty() : Optional.of(messages.firstEntry().getValue());
  }

  /** The first sequence: that of a message, or the next one to come; 0 before there was any. */
  long firstSequence() {
    if (messages.isEmpty()) {
      return last == 0 && !begun ? 0 : last + 1;
    }
    return messages.firstKey();
  }

  long lastSequence() {
    return last;
  }

  long size() {
    return messages.size();
  }

  long subjectCount() {
    return bySubject.size();
  }

  long deleted() {
    return messages.isEmpty() ? 0 : last - messages.firstKey() + 1 - messages.size();
  }

  List<Long> deletedSequences() {
    List<Long> gone = new ArrayList<>();
    for (long sequence = firstSequence(); !messages.isEmpty() && sequence <= last; sequence++) {
      if (!messages.containsKey(sequence)) {
        gone.add(sequence);
      }
    }
    return gone;
  }

  /** When the last one was stored, be it there or not; 0 before there was any. */
  long lastNanos() {
    return lastNanos;
  }

  private static boolean takes(Collection<String> filters, String subject) {
    return filters.isEmpty() || Subjects.anyCovers(filters, subject);
  }
}
