package dev.contrail.operations.stranded;

import dev.contrail.evidence.DeadLetterId;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Messages that stay in a stream though no consumer that claims them will be given them again. */
public sealed interface Stranding {

  /** How many; of those that are suspected, at least so many. */
  long count();

  /** The consumers that claim them, in the order of their names. */
  List<ConsumerView> consumers();

  /** In a sentence. */
  String why();

  /** Messages of a subject of which it is known which they are. */
  sealed interface Known extends Stranding {
    String subject();

    /** Those of higher sequences came later. */
    long upTo();

    /**
     * The one consumer that can have given up on them; empty where several can, of which the others
     * may well have acked them.
     */
    Optional<String> givenUpBy();

    /**
     * The names under which the dead letter of one of the messages may be: whoever can have given
     * up, or nobody's, where it was filed when that could not be told.
     */
    default List<String> mayBeFiledUnder() {
      return Stream.concat(
              consumers().stream()
                  .filter(
                      it ->
                          givenUpBy().isPresent()
                              ? givenUpBy().get().equals(it.name())
                              : it.deliveryLimit().isPresent())
                  .map(ConsumerView::name),
              Stream.of(DeadLetterId.ORPHAN))
          .toList();
    }

    /**
     * Whether it is still so: the same consumers claim the subject, and none was made again, set
     * back or configured anew. What they were given since does not bring back what they gave up on.
     */
    default boolean holds(Collection<ConsumerView> now) {
      return claimants(now).size() == consumers().size() && newcomers(now).isEmpty();
    }

    /** Those who claim the subject now and may be given the messages: new, made again, set back. */
    default Set<String> newcomers(Collection<ConsumerView> now) {
      return claimants(now).stream()
          .filter(it -> consumers().stream().noneMatch(then -> then.wentOnAs(it)))
          .map(ConsumerView::name)
          .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Those of them that claim the subject. */
    default Set<ConsumerView> claimants(Collection<ConsumerView> now) {
      Claims<ConsumerView> claims = new Claims<>();
      now.forEach(it -> claims.add(it.filters(), it));
      return claims.on(subject());
    }
  }

  /**
   * All messages of a subject up to a sequence: each consumer that claims it has passed them, and
   * had nothing pending and nothing unacked in two equal views.
   */
  record Certain(
      String subject,
      long count,
      long upTo,
      List<ConsumerView> consumers,
      Optional<String> givenUpBy,
      String why)
      implements Known {}

  /**
   * Messages of a subject that the server has said it gave up on, while their consumers may be
   * busy.
   *
   * @param messages by their sequences
   * @param wantedBy consumers that may still want them; none where nobody will be given them again
   * @param atWork those that gave up and have unacked messages: set back since by a crash or a
   *     reset, of which nothing tells, they may be running these
   * @param stays whether the stream keeps them by limits alone, whoever has read them: then {@code
   *     consumers} is the one that gave up, and others do not matter
   */
  record Told(
      String subject,
      SortedMap<Long, Testimony> messages,
      List<ConsumerView> consumers,
      Optional<String> givenUpBy,
      List<String> wantedBy,
      List<String> atWork,
      boolean stays)
      implements Known {

    /** The oldest of them. */
    public Instant oldest() {
      return messages.values().iterator().next().publishedAt();
    }

    @Override
    public long count() {
      return messages.size();
    }

    @Override
    public long upTo() {
      return messages.lastKey();
    }

    @Override
    public Set<ConsumerView> claimants(Collection<ConsumerView> now) {
      return stays
          ? now.stream()
              .filter(it -> givenUpBy.filter(it.name()::equals).isPresent() && it.takes(subject))
              .collect(Collectors.toSet())
          : Known.super.claimants(now);
    }

    @Override
    public String why() {
      String who =
          givenUpBy.map(it -> "consumer " + it + " has").orElse("its consumers have")
              + " used up its deliveries, as the server said";
      return who
          + (wantedBy.isEmpty() ? "" : "; " + String.join(", ", wantedBy) + " may still want it")
          + (atWork.isEmpty() ? "" : "; " + String.join(", ", atWork) + " is at work");
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
