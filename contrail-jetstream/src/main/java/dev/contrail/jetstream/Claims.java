package dev.contrail.jetstream;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Which subjects some consumer takes, as far as was known at one moment. */
final class Claims {
  /** Beyond this many subjects, what was found out for each is forgotten and found out anew. */
  private static final int MOST_REMEMBERED = 10_000;

  /**
   * A stream and what its consumers take of it.
   *
   * @param filters empty where it has no consumer
   */
  record Stream(List<String> subjects, List<String> filters) {
    Stream {
      subjects = List.copyOf(subjects);
      filters = List.copyOf(filters);
    }
  }

  private final Map<String, Stream> streams;
  private final Map<String, Boolean> remembered = new ConcurrentHashMap<>();

  Claims(Map<String, Stream> streams) {
    this.streams = Map.copyOf(streams);
  }

  Map<String, Stream> streams() {
    return streams;
  }

  Claims with(String name, Stream stream) {
    Map<String, Stream> more = new HashMap<>(streams);
    more.put(name, stream);
    return new Claims(more);
  }

  /** Whether a consumer takes it; empty when none of these streams does. */
  Optional<Boolean> claimed(String subject) {
    Boolean known = remembered.get(subject);
    if (known != null) {
      return Optional.of(known);
    }
    Optional<Boolean> found =
        streams.values().stream()
            .filter(stream -> SubjectPattern.anyMatches(stream.subjects(), subject))
            .findFirst()
            .map(stream -> SubjectPattern.anyMatches(stream.filters(), subject));
    found.ifPresent(claimed -> remember(subject, claimed));
    return found;
  }

  private void remember(String subject, boolean claimed) {
    if (remembered.size() >= MOST_REMEMBERED) {
      remembered.clear();
    }
    remembered.put(subject, claimed);
  }
}
