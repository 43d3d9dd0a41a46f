package dev.contrail.operations.watch;

import dev.contrail.operations.orphans.OrphanClass;
import dev.contrail.operations.orphans.Orphans;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The orphans of one class in a stream, all subjects together.
 *
 * @param subjects how many subjects, or filters, they were found under
 * @param oldest when the oldest was published, where that is known of any
 */
public record OrphanTotal(
    String stream, OrphanClass kind, long count, int subjects, Optional<Instant> oldest) {
  private record Place(String stream, OrphanClass kind) {}

  /** Sums them up, by stream and class in their order. */
  public static List<OrphanTotal> of(List<Orphans> orphans) {
    Map<Place, OrphanTotal> totals =
        new TreeMap<>(Comparator.comparing(Place::stream).thenComparing(Place::kind));
    for (Orphans one : orphans) {
      totals.merge(
          new Place(one.stream(), one.kind()),
          new OrphanTotal(
              one.stream(), one.kind(), one.count(), one.subjects().size(), one.oldest()),
          OrphanTotal::and);
    }
    return List.copyOf(totals.values());
  }

  /** Those of the first that the second has none of. */
  static List<OrphanTotal> without(List<OrphanTotal> these, List<OrphanTotal> those) {
    List<OrphanTotal> rest = new ArrayList<>(these);
    rest.removeIf(one -> those.stream().anyMatch(one::isOfSamePlace));
    return List.copyOf(rest);
  }

  private boolean isOfSamePlace(OrphanTotal other) {
    return stream.equals(other.stream) && kind == other.kind;
  }

  private OrphanTotal and(OrphanTotal other) {
    return new OrphanTotal(
        stream,
        kind,
        count + other.count,
        subjects + other.subjects,
        earlier(oldest, other.oldest));
  }

  private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.or(() -> other);
    }
    return one.get().isBefore(other.get()) ? one : other;
  }
}
