package dev.contrail.operations.stranded;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Sorts messages that the server has said a consumer gave up on, by what may become of them. Asks
 * nobody.
 *
 * <p>That one consumer gave up on a message of an interest stream says nothing of the others: each
 * must have given up on it as well, or have passed it and been idle in two equal views.
 */
public final class ToldStrandings {
  private final Observation seen;
  private final Map<String, ConsumerView> first = new HashMap<>();
  private final Map<String, ConsumerView> second = new TreeMap<>();

  private ToldStrandings(Observation seen) {
    this.seen = seen;
    seen.first().forEach(it -> first.put(it.name(), it));
    seen.second().forEach(it -> second.put(it.name(), it));
  }

  /** What messages of a stream have in common, that are told of together. */
  private record Kind(
      String subject, List<String> givenUpBy, List<String> wantedBy, List<String> atWork) {}

  /** Those of a stream that keeps messages until they are acked. */
  public static List<Stranding.Told> in(Collection<Testimony> all, Observation seen) {
    return new ToldStrandings(seen).sorted(all);
  }

  /** Those of a stream that keeps messages by limits alone: each consumer's are its own. */
  public static List<Stranding.Told> kept(Collection<Testimony> all, Observation seen) {
    ToldStrandings sorting = new ToldStrandings(seen);
    Map<String, List<Testimony>> byConsumer =
        all.stream()
            .collect(
                Collectors.groupingBy(
                    it -> it.advisory().message().consumer(), TreeMap::new, Collectors.toList()));
    List<Stranding.Told> told = new ArrayList<>();
    byConsumer.forEach(
        (consumer, some) ->
            some.stream()
                .collect(
                    Collectors.groupingBy(Testimony::subject, TreeMap::new, Collectors.toList()))
                .forEach(
                    (subject, ones) ->
                        told.add(
                            new Stranding.Told(
                                subject,
                                bySequence(ones),
                                sorting.views(List.of(consumer)),
                                Optional.of(consumer),
                                List.of(),
                                List.of(),
                                true))));
    return told;
  }

  /** All that is stranded, each message once. */
  public static List<Stranding> together(List<Stranding> counted, List<Stranding.Told> told) {
    Set<String> certain =
        counted.stream()
            .filter(Stranding.Certain.class::isInstance)
            .map(it -> ((Stranding.Certain) it).subject())
            .collect(Collectors.toSet());
    List<Stranding.Told> more =
        told.stream().filter(it -> !certain.contains(it.subject())).toList();
    List<Stranding> all = new ArrayList<>();
    for (Stranding one : counted) {
      if (one instanceof Stranding.Suspected suspected) {
        long known =
            more.stream()
                .filter(it -> it.wantedBy().isEmpty() && areAmong(suspected, it.consumers()))
                .mapToLong(Stranding::count)
                .sum();
        if (suspected.count() > known) {
          all.add(
              new Stranding.Suspected(
                  suspected.subjects(),
                  suspected.count() - known,
                  suspected.consumers(),
                  suspected.why()));
        }
      } else {
        all.add(one);
      }
    }
    all.addAll(more);
    return all;
  }

  private static boolean areAmong(Stranding.Suspected suspected, List<ConsumerView> consumers) {
    return consumers.stream()
        .allMatch(
            one -> suspected.consumers().stream().anyMatch(it -> it.name().equals(one.name())));
  }

  /** Subjects that a copying stream reads are left out: nobody can see how far that has come. */
  private List<Stranding.Told> sorted(Collection<Testimony> all) {
    Claims<String> claims = new Claims<>();
    second.values().forEach(it -> claims.add(it.filters(), it.name()));
    Claims<String> copied = new Claims<>();
    seen.readers().forEach(it -> copied.add(it.filters(), it.stream()));
    Map<Kind, List<Testimony>> kinds =
        all.stream()
            .filter(it -> copied.on(it.subject()).isEmpty())
            .collect(
                Collectors.groupingBy(
                    it -> it.advisory().message().sequence(), TreeMap::new, Collectors.toList()))
            .values()
            .stream()
            .collect(
                Collectors.toMap(
                    ones -> kind(ones, claims.on(ones.get(0).subject())),
                    ones -> ones,
                    (some, others) -> {
                      List<Testimony> both = new ArrayList<>(some);
                      both.addAll(others);
                      return both;
                    }));
    List<Stranding.Told> told = new ArrayList<>();
    kinds.forEach(
        (kind, ones) ->
            told.add(
                new Stranding.Told(
                    kind.subject(),
                    bySequence(ones),
                    views(claims.on(kind.subject())),
                    kind.givenUpBy().size() == 1
                        ? Optional.of(kind.givenUpBy().get(0))
                        : Optional.empty(),
                    kind.wantedBy(),
                    kind.atWork(),
                    false)));
    told.sort(Comparator.comparing(Stranding.Told::subject).thenComparing(Stranding.Told::upTo));
    return told;
  }

  private Kind kind(List<Testimony> ofOne, Set<String> claimants) {
    Testimony any = ofOne.get(0);
    Set<String> givenUpBy = new TreeSet<>();
    ofOne.forEach(it -> givenUpBy.add(it.advisory().message().consumer()));
    List<String> wantedBy =
        claimants.stream()
            .filter(it -> !givenUpBy.contains(it) && !isDone(it, any.advisory()))
            .sorted()
            .toList();
    List<String> atWork = givenUpBy.stream().filter(this::isAtWork).toList();
    return new Kind(any.subject(), List.copyOf(givenUpBy), wantedBy, atWork);
  }

  /** A crash or a reset may have set it back since: then it runs again what it had given up on. */
  private boolean isAtWork(String consumer) {
    ConsumerView now = second.get(consumer);
    return now != null && now.unacked() > 0;
  }

  /** Idle and beyond it: it has acked it, or given up on it. */
  private boolean isDone(String consumer, Advisory advisory) {
    ConsumerView then = first.get(consumer);
    return then != null
        && then.isIdle()
        && then.equals(second.get(consumer))
        && advisory.isPassedBy(then);
  }

  private List<ConsumerView> views(Collection<String> names) {
    return second.values().stream().filter(it -> names.contains(it.name())).toList();
  }

  private static SortedMap<Long, Testimony> bySequence(List<Testimony> some) {
    SortedMap<Long, Testimony> sorted = new TreeMap<>();
    some.forEach(it -> sorted.putIfAbsent(it.advisory().message().sequence(), it));
    return sorted;
  }
}
