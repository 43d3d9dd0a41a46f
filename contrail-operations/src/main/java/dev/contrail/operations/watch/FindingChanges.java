package dev.contrail.operations.watch;

import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.jetstream.doctor.Rule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is different between two examinations. A finding is the same when its rule, stream and
 * consumer are, for its text tells numbers that change all the time.
 */
public record FindingChanges(List<Finding> appeared, List<Finding> gone) {
  private record Place(Rule rule, Optional<String> stream, Optional<String> consumer) {}

  /** From the one to the other. */
  public static FindingChanges between(List<Finding> before, List<Finding> after) {
    Map<Place, List<Finding>> old = byPlace(before);
    Map<Place, List<Finding>> now = byPlace(after);
    return new FindingChanges(more(now, old), more(old, now));
  }

  private static Map<Place, List<Finding>> byPlace(List<Finding> findings) {
    Map<Place, List<Finding>> places = new LinkedHashMap<>();
    for (Finding finding : findings) {
      places
          .computeIfAbsent(
              new Place(finding.rule(), finding.stream(), finding.consumer()),
              any -> new ArrayList<>())
          .add(finding);
    }
    return places;
  }

  /** Where a place has several, those are told of whose text is new. */
  private static List<Finding> more(
      Map<Place, List<Finding>> these, Map<Place, List<Finding>> those) {
    List<Finding> more = new ArrayList<>();
    these.forEach(
        (place, findings) -> {
          List<Finding> others = those.getOrDefault(place, List.of());
          findings.stream()
              .filter(it -> others.stream().noneMatch(other -> other.found().equals(it.found())))
              .limit(Math.max(0, findings.size() - others.size()))
              .forEach(more::add);
        });
    return List.copyOf(more);
  }
}
