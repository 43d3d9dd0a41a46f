package dev.contrail.operations.transfer;

import dev.contrail.event.EventAddress;
import dev.contrail.event.EventAddress.Family;
import dev.contrail.jetstream.DeadLetterArchive.StoredEvent;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The history of a dead letter here, held against the one that comes from elsewhere. */
final class Histories {
  // A step before what became of it, and all of that before the next step: what an import that was
  // killed leaves is a beginning of the history.
  private static final Comparator<StoredEvent> ORDER =
      Comparator.comparing((StoredEvent event) -> event.address().family() == Family.NOTE)
          .thenComparing(event -> event.address().step())
          .thenComparing(event -> rank(event.address().family()))
          .thenComparing(event -> event.address().rest());

  private final Map<EventAddress, StoredEvent> here = new HashMap<>();
  private final List<StoredEvent> there;

  Histories(List<StoredEvent> here, List<StoredEvent> there) {
    here.forEach(event -> this.here.put(event.address(), event));
    this.there = there.stream().sorted(ORDER).toList();
  }

  private static int rank(Family family) {
    return switch (family) {
      case STEP -> 0;
      case RUN -> 1;
      case SKIPPED -> 2;
      case OUTCOME -> 3;
      case NOTE -> 4;
    };
  }

  /**
   * What is missing here, in the order in which it is to be written; empty where the histories are
   * not one. They are one where either is the beginning of the other.
   */
  Optional<List<StoredEvent>> missing() {
    boolean differs =
        there.stream()
            .anyMatch(event -> local(event).filter(found -> !found.isSameAs(event)).isPresent());
    List<StoredEvent> missing = there.stream().filter(event -> local(event).isEmpty()).toList();
    return differs || !(holdsAll(missing) || isBeginning())
        ? Optional.empty()
        : Optional.of(missing);
  }

  private static boolean holdsAll(List<StoredEvent> missing) {
    return missing.stream().noneMatch(Histories::counts);
  }

  private boolean isBeginning() {
    long known = here.values().stream().filter(Histories::counts).count();
    return there.stream()
            .filter(Histories::counts)
            .takeWhile(event -> local(event).isPresent())
            .count()
        == known;
  }

  /** Those that are here, but have lost the payload which comes with them. */
  List<StoredEvent> emptied() {
    return there.stream()
        .filter(StoredEvent::isWhole)
        .filter(event -> local(event).filter(found -> !found.isWhole()).isPresent())
        .toList();
  }

  /** Whether each edit has its payload, there or here. */
  boolean isWhole() {
    return there.stream()
        .allMatch(
            event -> event.isWhole() || local(event).filter(StoredEvent::isWhole).isPresent());
  }

  /** Notes decide nothing, and anybody may write one at any time. */
  private static boolean counts(StoredEvent event) {
    return event.address().family() != Family.NOTE;
  }

  private Optional<StoredEvent> local(StoredEvent event) {
    return Optional.ofNullable(here.get(event.address()));
  }
}
