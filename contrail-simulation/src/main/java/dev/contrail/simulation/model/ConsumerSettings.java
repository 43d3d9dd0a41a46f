package dev.contrail.simulation.model;

import java.time.Duration;
import java.util.List;

/**
 * How a durable pull consumer with explicit acks is configured.
 *
 * @param filters none for all messages. Of more than one, which servers before 2.10 do not know,
 *     such a server sees none
 * @param startSequence for {@link DeliverPolicy#BY_START_SEQUENCE}
 * @param maxDeliver -1 for no limit
 * @param maxAckPending -1 for no limit
 */
public record ConsumerSettings(
    String name,
    List<String> filters,
    DeliverPolicy deliverPolicy,
    long startSequence,
    Duration ackWait,
    int maxDeliver,
    int maxAckPending) {
  /** Where in the stream a new consumer begins. */
  public enum DeliverPolicy {
    ALL,
    NEW,
    LAST,
    BY_START_SEQUENCE
  }

  public ConsumerSettings {
    filters = List.copyOf(filters);
  }

  /** As the server makes one by default: all messages, 30 s, any number of deliveries. */
  public static ConsumerSettings of(String name, String... filters) {
    return new ConsumerSettings(
        name, List.of(filters), DeliverPolicy.ALL, 0, Duration.ofSeconds(30), -1, 1000);
  }

  public ConsumerSettings from(DeliverPolicy policy) {
    return new ConsumerSettings(name, filters, policy, 0, ackWait, maxDeliver, maxAckPending);
  }

  public ConsumerSettings fromSequence(long sequence) {
    return new ConsumerSettings(
        name,
        filters,
        DeliverPolicy.BY_START_SEQUENCE,
        sequence,
        ackWait,
        maxDeliver,
        maxAckPending);
  }

  public ConsumerSettings withAckWait(Duration wait) {
    return new ConsumerSettings(
        name, filters, deliverPolicy, startSequence, wait, maxDeliver, maxAckPending);
  }

  public ConsumerSettings withMaxDeliver(int limit) {
    return new ConsumerSettings(
        name, filters, deliverPolicy, startSequence, ackWait, limit, maxAckPending);
  }

  public ConsumerSettings withMaxAckPending(int limit) {
    return new ConsumerSettings(
        name, filters, deliverPolicy, startSequence, ackWait, maxDeliver, limit);
  }

  /** Whether the server would turn one into the other: not where it began. */
  boolean mayBecome(ConsumerSettings other) {
    if (!filters.equals(other.filters)) {
      throw new UnsupportedOperationException(
          "the model does not change the filters of " + name + ": servers differ in what follows");
    }
    return deliverPolicy == other.deliverPolicy && startSequence == other.startSequence;
  }
}
