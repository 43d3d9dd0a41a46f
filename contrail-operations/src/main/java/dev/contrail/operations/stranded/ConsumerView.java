package dev.contrail.operations.stranded;

import dev.contrail.jetstream.SubjectPattern;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.DeliverPolicy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A consumer as the server told of it at one moment. Two views are equal when nothing was
 * delivered, acked, given up on or configured between them: each delivery counts up {@code given}.
 *
 * @param filters none for all subjects of the stream
 * @param startsAt the first sequence it asked for, empty where it asked by another rule
 * @param deliveryLimit MaxDeliver; empty for no limit
 * @param acks whether it acknowledges what it is given
 * @param given deliveries so far, repeated ones counted
 * @param passed every message up to this sequence is behind it: given, or never wanted
 * @param ackFloor all up to this sequence are done with
 * @param pending what it is still to be given for the first time
 * @param unacked what it was given and may be given again
 * @param redelivered messages that it was given more than once and has not acked, as far as the
 *     server remembers: some forget that when they are restarted
 */
public record ConsumerView(
    String name,
    Instant created,
    List<String> filters,
    Optional<Long> startsAt,
    Optional<Long> deliveryLimit,
    boolean acks,
    long given,
    long passed,
    long ackFloor,
    long pending,
    long unacked,
    long redelivered) {

  public ConsumerView {
    filters = List.copyOf(filters);
  }

  public static ConsumerView of(ConsumerInfo info) {
    ConsumerConfiguration config = info.getConsumerConfiguration();
    List<String> filters = config.getFilterSubjects();
    return new ConsumerView(
        info.getName(),
        info.getCreationTime().toInstant(),
        filters == null ? List.of() : filters,
        config.getDeliverPolicy() == DeliverPolicy.ByStartSequence
            ? Optional.of(config.getStartSequence())
            : Optional.empty(),
        config.getMaxDeliver() > 0 ? Optional.of(config.getMaxDeliver()) : Optional.empty(),
        config.getAckPolicy() != AckPolicy.None,
        info.getDelivered().getConsumerSequence(),
        info.getDelivered().getStreamSequence(),
        info.getAckFloor().getStreamSequence(),
        info.getNumPending(),
        info.getNumAckPending(),
        info.getRedelivered());
  }

  public boolean takes(String subject) {
    return filters.isEmpty() || SubjectPattern.anyMatches(filters, subject);
  }

  /** Whether it has nothing to be given, for the first time or again. */
  boolean isIdle() {
    return pending == 0 && unacked == 0;
  }

  long outstanding() {
    return pending + unacked;
  }

  /** Whether that is the same consumer later, neither set back nor configured anew. */
  boolean wentOnAs(ConsumerView later) {
    return name.equals(later.name)
        && created.equals(later.created)
        && filters.equals(later.filters)
        && deliveryLimit.equals(later.deliveryLimit)
        && given <= later.given
        && passed <= later.passed;
  }

  /** Whether it may have given up on a message of a sequence up to that. */
  boolean mayHaveGivenUp(long upTo) {
    return deliveryLimit.isPresent()
        && acks
        && given > 0
        && startsAt.filter(start -> start > upTo).isEmpty();
  }

  /**
   * How many of so many messages it has given up on at least, as far as that can be proved: each
   * was given to it as often as its limit says, more than once, and was not acked. Servers from
   * 2.11 on do not count that where the limit is one; there only deliveries that have all failed
   * prove it.
   */
  long givenUpOf(long stranded) {
    if (deliveryLimit.isEmpty()) {
      return 0;
    }
    long most = given / deliveryLimit.get();
    boolean allFailed = deliveryLimit.get() == 1 && given == stranded;
    return allFailed ? most : Math.min(most, redelivered);
  }
}
