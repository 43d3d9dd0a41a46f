package dev.contrail.operations.stranded;

import dev.contrail.jetstream.SubjectPattern;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Finds what is stranded in what the server told.
 *
 * <p>A message is stranded for certain when every consumer that claims its subject has passed it
 * and was idle in two equal views around the moment at which the message was seen: it was there at
 * the first view, so it was neither waiting to be delivered nor to be acked, and nothing happened
 * since. That somebody acked it is no objection on an interest stream: it is still stored because
 * another did not. Which of several consumers gave up is not to be seen from outside. Those that
 * may have must be shown to have been given each of the messages as often as MaxDeliver says: what
 * a consumer passed under another filter, or was moved past, was never delivered and died of
 * nothing.
 *
 * <p>Otherwise only numbers speak. A stored message that is not stranded is outstanding for at
 * least one consumer, so what the consumers have outstanding, plus what was published since they
 * were asked, is at least as much as what is stored; the rest is stranded. Acks in between only
 * make it less. Consumers that share subjects are counted together.
 */
public final class Strandings {
  private final Observation seen;
  private final Map<String, ConsumerView> first = new TreeMap<>();
  private final Map<String, ConsumerView> second = new TreeMap<>();
  private final Map<Set<String>, Long> claimed = new LinkedHashMap<>();
  private final List<AtRest> atRest = new ArrayList<>();
  private final List<Stranding> found = new ArrayList<>();

  /**
   * A subject whose consumers are all at rest.
   *
   * @param suspects those of them that may have given up on its messages
   */
  private record AtRest(
      String subject,
      long count,
      long upTo,
      List<ConsumerView> consumers,
      List<ConsumerView> suspects) {

    static AtRest of(String subject, long count, List<ConsumerView> consumers) {
      long upTo = consumers.stream().mapToLong(ConsumerView::passed).min().orElse(0);
      List<ConsumerView> suspects =
          consumers.stream().filter(it -> it.mayHaveGivenUp(upTo)).toList();
      return new AtRest(subject, count, upTo, consumers, suspects);
    }
  }

  private Strandings(Observation seen) {
    this.seen = seen;
    seen.first().forEach(it -> first.put(it.name(), it));
    seen.second().forEach(it -> second.put(it.name(), it));
  }

  /** What is stranded, the certain ones first. */
  public static List<Stranding> in(Observation seen) {
    Strandings strandings = new Strandings(seen);
    strandings.judgeSubjects();
    strandings.judgeAtRest();
    strandings.judgeNumbers();
    return strandings.found;
  }

  /**
   * Subjects that a copying stream reads are left out: nobody can see how far that has come. So are
   * those that read as a filter: neither what matches them nor what they match is what servers do.
   */
  private void judgeSubjects() {
    Claims<String> claims = new Claims<>();
    first.values().forEach(it -> claims.add(it.filters(), it.name()));
    second.values().forEach(it -> claims.add(it.filters(), it.name()));
    Claims<String> copied = new Claims<>();
    seen.readers().forEach(it -> copied.add(it.filters(), it.stream()));
    new TreeMap<>(seen.subjects())
        .forEach(
            (subject, count) -> {
              Set<String> names = claims.on(subject);
              if (names.isEmpty()
                  || !copied.on(subject).isEmpty()
                  || !SubjectPattern.of(subject).isLiteral()) {
                return;
              }
              if (names.stream().allMatch(this::isAtRest)) {
                atRest.add(
                    AtRest.of(subject, count, names.stream().sorted().map(this::view).toList()));
              } else {
                claimed.merge(names, count, Long::sum);
              }
            });
  }

  private boolean isAtRest(String name) {
    ConsumerView then = first.get(name);
    return then != null && then.isIdle() && then.equals(second.get(name));
  }

  private void judgeAtRest() {
    Map<List<ConsumerView>, Long> counts = new LinkedHashMap<>();
    atRest.forEach(it -> counts.merge(it.suspects(), it.count(), Long::sum));
    Map<List<ConsumerView>, Boolean> enough = new HashMap<>();
    counts.remove(List.<ConsumerView>of());
    counts.keySet().forEach(suspects -> enough.put(suspects, isEnough(suspects, counts)));
    for (AtRest it : atRest) {
      found.add(enough.getOrDefault(it.suspects(), false) ? certain(it) : suspected(it));
    }
    // Stable: by subject within each kind.
    found.sort(Comparator.comparing(it -> it instanceof Stranding.Suspected));
  }

  /** Whether they made the deliveries that it takes to give up on all that nobody else can have. */
  private static boolean isEnough(
      List<ConsumerView> suspects, Map<List<ConsumerView>, Long> counts) {
    Set<ConsumerView> these = new HashSet<>(suspects);
    long stranded =
        counts.entrySet().stream()
            .filter(it -> these.containsAll(it.getKey()))
            .mapToLong(Map.Entry::getValue)
            .sum();
    return suspects.stream().mapToLong(it -> it.givenUpOf(stranded)).sum() >= stranded;
  }

  private static Stranding certain(AtRest it) {
    List<String> suspects = it.suspects().stream().map(ConsumerView::name).toList();
    Optional<String> one = suspects.size() == 1 ? Optional.of(suspects.get(0)) : Optional.empty();
    return new Stranding.Certain(
        it.subject(), it.count(), it.upTo(), it.consumers(), one, why(suspects));
  }

  private static Stranding suspected(AtRest it) {
    String why = it.suspects().isEmpty() ? whyUnlimited(it.consumers()) : whyTooFew(it.suspects());
    return new Stranding.Suspected(List.of(it.subject()), it.count(), it.consumers(), why);
  }

  private void judgeNumbers() {
    Map<String, Set<String>> together = new HashMap<>();
    claimed.keySet().forEach(names -> join(together, names));
    new HashSet<>(together.values())
        .stream().sorted(Comparator.comparing(Object::toString)).forEach(this::judgeNumbers);
  }

  /** Merges the groups of those names, so that consumers with a subject in common are in one. */
  private static void join(Map<String, Set<String>> together, Set<String> names) {
    Set<String> group = new TreeSet<>();
    names.forEach(name -> group.addAll(together.getOrDefault(name, Set.of(name))));
    group.forEach(name -> together.put(name, group));
  }

  private void judgeNumbers(Set<String> names) {
    List<ConsumerView> consumers = names.stream().map(this::view).toList();
    long stored =
        claimed.entrySet().stream()
            .filter(it -> names.containsAll(it.getKey()))
            .mapToLong(Map.Entry::getValue)
            .sum();
    long outstanding = consumers.stream().mapToLong(ConsumerView::outstanding).sum();
    long rest = stored - outstanding - seen.published();
    if (rest > 0) {
      List<String> filters =
          consumers.stream()
              .flatMap(it -> it.filters().isEmpty() ? List.of(">").stream() : it.filters().stream())
              .distinct()
              .sorted()
              .toList();
      found.add(
          new Stranding.Suspected(
              filters, rest, consumers, whyNumbers(stored, outstanding, names)));
    }
  }

  private ConsumerView view(String name) {
    ConsumerView then = first.get(name);
    return then != null ? then : Objects.requireNonNull(second.get(name));
  }

  private static String why(List<String> suspects) {
    return suspects.size() == 1
        ? "consumer " + suspects.get(0) + " has used up its deliveries and waits for nothing"
        : "one of the consumers "
            + String.join(", ", suspects)
            + " has used up its deliveries; none of them waits for anything";
  }

  private static String whyUnlimited(List<ConsumerView> consumers) {
    return "passed by "
        + consumers.stream().map(ConsumerView::name).collect(Collectors.joining(", "))
        + ", which has no delivery limit now: it had one or another filter, or the server passed"
        + " them over when another subject was purged";
  }

  private static String whyTooFew(List<ConsumerView> suspects) {
    return "passed by "
        + suspects.stream().map(ConsumerView::name).collect(Collectors.joining(", "))
        + ", which is not known to have used them up: it had another filter or limit, the server passed"
        + " them over when another subject was purged, or has forgotten since what it gave up on";
  }

  private static String whyNumbers(long stored, long outstanding, Set<String> names) {
    return stored
        + " stored, "
        + outstanding
        + " outstanding at "
        + String.join(", ", names)
        + "; which ones cannot be told while it is busy";
  }
}
