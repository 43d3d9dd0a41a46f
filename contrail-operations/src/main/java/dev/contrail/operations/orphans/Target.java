package dev.contrail.operations.orphans;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Reason;
import dev.contrail.operations.burial.Corpse;
import dev.contrail.operations.stranded.ConsumerView;
import dev.contrail.operations.stranded.Observation;
import dev.contrail.operations.stranded.Stranding;
import io.nats.client.api.RetentionPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Messages of one subject that may be taken away, as long as nobody objects.
 *
 * @param count how many there were
 * @param upTo those of higher sequences came later
 * @param stranding why nobody will be given them; empty where nobody claims them
 * @param readers streams that copy from this one
 */
record Target(
    String stream,
    RetentionPolicy retention,
    String subject,
    OrphanClass kind,
    long count,
    long upTo,
    Optional<Stranding.Known> stranding,
    List<Observation.Reader> readers) {

  /** All that may be taken away of a stream. */
  static List<Target> of(StreamSeen seen, Set<OrphanClass> classes) {
    List<Target> targets = new ArrayList<>();
    Observation told = seen.consumersAndSubjects();
    if (classes.contains(OrphanClass.UNCLAIMED)) {
      var claims = Sorting.claims(told.first(), told.readers());
      new TreeMap<>(told.subjects())
          .forEach(
              (subject, count) -> {
                if (claims.on(subject).isEmpty()) {
                  targets.add(
                      new Target(
                          seen.stream(),
                          seen.retention(),
                          subject,
                          OrphanClass.UNCLAIMED,
                          count,
                          told.lastAfter(),
                          Optional.empty(),
                          told.readers()));
                }
              });
    }
    if (classes.contains(OrphanClass.EXHAUSTED)) {
      seen.strandings().stream()
          .filter(Stranding.Known.class::isInstance)
          .map(Stranding.Known.class::cast)
          .map(
              it ->
                  new Target(
                      seen.stream(),
                      seen.retention(),
                      it.subject(),
                      OrphanClass.EXHAUSTED,
                      it.count(),
                      it.upTo(),
                      Optional.of(it),
                      told.readers()))
          .forEach(targets::add);
    }
    targets.sort(Comparator.comparing(Target::subject));
    return targets;
  }

  /** The same beside other streams that copy from it. */
  Target withReaders(List<Observation.Reader> others) {
    return new Target(stream, retention, subject, kind, count, upTo, stranding, others);
  }

  /** Why the messages are to be left alone after all, by the consumers that there are now. */
  Optional<String> objection(List<ConsumerView> now) {
    Set<String> newcomers = newcomers(now);
    if (!newcomers.isEmpty()) {
      return Optional.of(String.join(", ", newcomers) + " claims " + subject + " now");
    }
    return stranding.isEmpty() || stranding.get().holds(now)
        ? Optional.empty()
        : Optional.of("the consumers that claim " + subject + " are not what they were");
  }

  /** Who claims the subject and may be given the messages. */
  Set<String> newcomers(List<ConsumerView> now) {
    if (stranding.isEmpty()) {
      return new TreeSet<>(Sorting.claims(now, readers).on(subject));
    }
    // What stays where it is may be copied from there.
    Set<String> newcomers =
        stays() ? new TreeSet<>() : new TreeSet<>(Sorting.claims(List.of(), readers).on(subject));
    newcomers.addAll(stranding.get().newcomers(now));
    return newcomers;
  }

  /** Those that the server told of one by one. */
  Optional<Stranding.Told> told() {
    return stranding.filter(Stranding.Told.class::isInstance).map(Stranding.Told.class::cast);
  }

  /** Whether the messages stay in their stream, which keeps them by limits alone. */
  boolean stays() {
    return told().filter(Stranding.Told::stays).isPresent();
  }

  /** What is to be written down of one of the messages. */
  Corpse corpse(long sequence, String consumer, Instant diedAt) {
    Optional<Corpse> told =
        told()
            .flatMap(it -> Optional.ofNullable(it.messages().get(sequence)))
            .map(it -> it.advisory().corpse())
            .filter(it -> it.consumer().equals(consumer));
    if (told.isPresent()) {
      return told.get();
    }
    return new Corpse(
        stream,
        consumer,
        sequence,
        stranding.isPresent() ? Reason.EXHAUSTED : Reason.ORPHANED,
        deliveries(),
        kind.text(),
        stranding
            .map(Stranding::why)
            .orElse("no consumer of stream " + stream + " takes subject " + subject),
        diedAt,
        Optional.empty());
  }

  /** Under whose name: the one who gave up, or nobody's where that cannot be told. */
  String consumer() {
    return stranding.flatMap(Stranding.Known::givenUpBy).orElse(DeadLetterId.ORPHAN);
  }

  /**
   * Where else its dead letter may be already. On an interest stream a guard's sweep may have filed
   * it under nobody, or an advisory under one of several: that is the one of its death.
   */
  List<String> mayBeFiledUnder() {
    return retention == RetentionPolicy.Interest
        ? stranding.map(Stranding.Known::mayBeFiledUnder).orElse(List.of())
        : List.of();
  }

  private long deliveries() {
    return stranding
        .flatMap(
            it ->
                it.consumers().stream()
                    .filter(one -> it.givenUpBy().filter(one.name()::equals).isPresent())
                    .findFirst())
        .flatMap(ConsumerView::deliveryLimit)
        .orElse(0L);
  }
}
