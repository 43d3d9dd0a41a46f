package dev.contrail.operations.orphans;

import dev.contrail.operations.orphans.Orphans.Count;
import dev.contrail.operations.stranded.Claims;
import dev.contrail.operations.stranded.ConsumerView;
import dev.contrail.operations.stranded.Observation;
import dev.contrail.operations.stranded.Stranding;
import io.nats.client.api.RetentionPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Sorts what a stream holds into the classes of orphans. Asks nobody. */
final class Sorting {
  private static final String ALL = ">";

  private final StreamSeen seen;
  private final List<Orphans> found = new ArrayList<>();

  private Sorting(StreamSeen seen) {
    this.seen = seen;
  }

  /** All that is found, without the age of the oldest. */
  static List<Orphans> of(StreamSeen seen, Duration idle, Instant now) {
    Sorting sorting = new Sorting(seen);
    sorting.unclaimed();
    seen.strandings().forEach(sorting::stranded);
    if (seen.retention() != RetentionPolicy.Limits) {
      seen.durables().stream().filter(it -> it.isLeft(idle, now)).forEach(sorting::forgotten);
    }
    return sorting.found;
  }

  /** What is to be left alone: what durables that nobody reads from wait for, and suspicions. */
  static List<Orphans> heldBack(StreamSeen seen, Instant now) {
    return of(seen, Duration.ZERO, now).stream().filter(it -> !it.kind().isReapable()).toList();
  }

  /** Who claims a subject: consumers, and streams that copy it. */
  static Claims<String> claims(List<ConsumerView> consumers, List<Observation.Reader> readers) {
    Claims<String> claims = new Claims<>();
    consumers.forEach(it -> claims.add(it.filters(), it.name()));
    readers.forEach(it -> claims.add(it.filters(), it.stream()));
    return claims;
  }

  private void unclaimed() {
    Observation told = seen.consumersAndSubjects();
    Claims<String> claims = claims(told.first(), told.readers());
    told.second().forEach(it -> claims.add(it.filters(), it.name()));
    new TreeMap<>(told.subjects())
        .forEach(
            (subject, count) -> {
              if (claims.on(subject).isEmpty()) {
                add(
                    OrphanClass.UNCLAIMED,
                    List.of(subject),
                    count,
                    Count.EXACT,
                    List.of(),
                    told.first().isEmpty()
                        ? "the stream has no consumer"
                        : "no consumer's filter takes this subject",
                    reap());
              }
            });
  }

  private String reap() {
    return seen.retention() == RetentionPolicy.Limits
        ? "nats consumer add " + seen.stream()
        : "contrail orphans reap --older-than 24h " + seen.stream();
  }

  private void stranded(Stranding stranding) {
    List<String> names = stranding.consumers().stream().map(ConsumerView::name).toList();
    if (stranding instanceof Stranding.Certain certain) {
      add(
          OrphanClass.EXHAUSTED,
          List.of(certain.subject()),
          certain.count(),
          Count.EXACT,
          names,
          certain.why(),
          reap());
    } else if (stranding instanceof Stranding.Told told) {
      add(
          OrphanClass.EXHAUSTED,
          List.of(told.subject()),
          told.count(),
          Count.EXACT,
          names,
          told.why(),
          adviceOn(told),
          Optional.of(told.oldest()));
    } else {
      List<String> subjects = ((Stranding.Suspected) stranding).subjects();
      add(
          OrphanClass.SUSPECTED,
          subjects,
          stranding.count(),
          Count.AT_LEAST,
          names,
          stranding.why(),
          "contrail guard");
    }
  }

  /**
   * A guard lets go of it for the one that gave up, whoever else may want it, and at once. One that
   * only copied may have worked off the advisory.
   */
  private String adviceOn(Stranding.Told told) {
    if (told.stays()) {
      return "contrail orphans reap --older-than 24h " + seen.stream();
    }
    return told.wantedBy().isEmpty() && told.atWork().isEmpty()
        ? reap()
        : "contrail guard --release " + seen.stream() + " --from-start";
  }

  private void forgotten(Durable durable) {
    ConsumerView view = durable.view();
    add(
        OrphanClass.FORGOTTEN,
        view.filters().isEmpty() ? List.of(ALL) : view.filters(),
        view.pending() + view.unacked(),
        Count.EXACT,
        List.of(view.name()),
        "nobody has read from durable "
            + view.name()
            + " since "
            + durable.lastActive().truncatedTo(ChronoUnit.SECONDS),
        "start its reader, or: nats consumer rm " + seen.stream() + " " + view.name());
  }

  private void add(
      OrphanClass kind,
      List<String> subjects,
      long count,
      Count countIs,
      List<String> consumers,
      String why,
      String advice) {
    add(kind, subjects, count, countIs, consumers, why, advice, Optional.empty());
  }

  private void add(
      OrphanClass kind,
      List<String> subjects,
      long count,
      Count countIs,
      List<String> consumers,
      String why,
      String advice,
      Optional<Instant> oldest) {
    found.add(
        new Orphans(
            seen.stream(),
            kind,
            subjects,
            count,
            countIs,
            seen.bytesOf(count),
            count < seen.messages(),
            oldest,
            consumers,
            why,
            advice));
  }
}
