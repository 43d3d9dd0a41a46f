package dev.contrail.operations.stranded;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Messages that stay in a stream though no consumer that claims them will be given them again. */
public sealed interface Stranding {

  /** How many; of those that are suspected, at least so many. */
  long count();

  /** The consumers that claim them, in the order of their names. */
  List<ConsumerView> consumers();

  /** In a sentence. */
  String why();

  /**
   * All messages of a subject up to a sequence: each consumer that claims it has passed them, and
   * had nothing pending and nothing unacked in two equal views.
   *
   * @param upTo those of higher sequences came later
   * @param givenUpBy the one consumer that can have given up on them; empty where several can, of
   *     which the others may well have acked them
   */
  record Certain(
      String subject,
      long count,
      long upTo,
      List<ConsumerView> consumers,
      Optional<String> givenUpBy,
      String why)
      implements Stranding {

    /**
     * Whether it is still so: the same consumers claim the subject, and none was made again, set
     * back or configured anew. What they were given since does not bring back what they gave up on.
     */
    public boolean holds(Collection<ConsumerView> now) {
      return claimants(now).size() == consumers.size() && newcomers(now).isEmpty();
    }

    /** Those who claim the subject now and may be given the messages: new, made again, set back. */
    public Set<String> newcomers(Collection<ConsumerView> now) {
      return claimants(now).stream()
          .filter(it -> consumers.stream().noneMatch(then -> then.wentOnAs(it)))
          .map(ConsumerView::name)
          .collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<ConsumerView> claimants(Collection<ConsumerView> now) {
      Claims<ConsumerView> claims = new Claims<>();
      now.forEach(it -> claims.add(it.filters(), it));
      return claims.on(subject);
    }
  }

  /**
   * More messages than their consumers account for, or such as cannot have used up their
   * deliveries; not to be acted on.
   *
   * @param subjects the filters below which they are
   */
  record Suspected(List<String> subjects, long count, List<ConsumerView> consumers, String why)
      implements Stranding {}
}
