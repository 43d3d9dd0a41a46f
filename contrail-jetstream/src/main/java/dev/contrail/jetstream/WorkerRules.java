package dev.contrail.jetstream;

import dev.contrail.Durations;
import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.jetstream.doctor.Rule;
import io.nats.client.api.ClusterInfo;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The doctor's rules that a worker looks at before it starts, for those who look without starting
 * one. Pure.
 */
public final class WorkerRules {
  private static final int CLUSTER_REPLICAS = 3;

  private WorkerRules() {}

  /** Whether the consumer is one that Contrail made for a worker. */
  public static boolean isMadeByContrail(ConsumerConfiguration consumer) {
    return ConsumerSetup.MADE_BY_CONTRAIL.equals(consumer.getDescription());
  }

  /**
   * How long after its completion a message may be delivered again while workers run: the longest
   * of AckWait, the steps of BackOff and the longest retry delay.
   */
  public static Duration effectiveAckWait(ConsumerConfiguration consumer, Duration longestDelay) {
    Duration longest =
        consumer.getAckWait() == null ? ConsumerSettings.DEFAULT_ACK_WAIT : consumer.getAckWait();
    for (Duration step : consumer.getBackoff()) {
      longest = longer(longest, step);
    }
    return longer(longest, longestDelay);
  }

  /**
   * What about a consumer that workers use is not as it should be.
   *
   * @param deliveryLimit after how many deliveries a worker gives up
   * @param leastAckPending how many unsettled messages it should allow at least
   */
  public static List<Finding> ofConsumer(
      Instant now,
      String stream,
      String name,
      ConsumerConfiguration consumer,
      long deliveryLimit,
      long leastAckPending) {
    return ConsumerDifference.inItself(now, consumer, deliveryLimit, leastAckPending).stream()
        .map(difference -> difference.finding(stream, name))
        .toList();
  }

  /** Whether unsettled messages come near what the consumer allows, as a worker tells it too. */
  public static boolean isHalfUsed(long ackPending, long maxAckPending) {
    return AckPendingWatch.level(ackPending, maxAckPending) != AckPendingWatch.Level.FINE;
  }

  /**
   * What about a stream endangers the work on it.
   *
   * @param longestWait how long a message may wait to be delivered again
   */
  public static List<Finding> ofStream(StreamInfo stream, Duration longestWait) {
    return ofStream(stream.getConfiguration(), isClustered(stream), longestWait);
  }

  /** The same of a configuration. */
  public static List<Finding> ofStream(
      StreamConfiguration stream, boolean clustered, Duration longestWait) {
    List<Finding> found = new ArrayList<>();
    maxAge(stream, longestWait).ifPresent(found::add);
    replicas(stream, clustered).ifPresent(found::add);
    storage(stream).ifPresent(found::add);
    return found;
  }

  /** Whether the stream could have more than one replica. */
  public static boolean isClustered(StreamInfo stream) {
    ClusterInfo cluster = stream.getClusterInfo();
    // A server on its own names itself as the leader, and no cluster.
    return cluster != null && cluster.getName() != null && !cluster.getName().isEmpty();
  }

  /**
   * What is wrong with a store of Contrail's that is there.
   *
   * @param atLeastReplicas as many as the streams have that it is about
   * @param maxPayload the largest message that the server takes
   */
  public static List<Finding> ofStore(
      Store store, InitPlan plan, StreamConfiguration found, int atLeastReplicas, long maxPayload) {
    return StoreCheck.findings(
        store, plan.configuration(store, atLeastReplicas), found, maxPayload);
  }

  private static Optional<Finding> maxAge(StreamConfiguration stream, Duration longestWait) {
    Duration maxAge = stream.getMaxAge();
    if (maxAge == null || maxAge.isZero() || maxAge.compareTo(longestWait) >= 0) {
      return Optional.empty();
    }
    return Optional.of(
        Finding.of(
            Rule.MAX_AGE_BELOW_RETRY,
            stream.getName(),
            "max age is "
                + Durations.format(maxAge)
                + ", but a message may wait "
                + Durations.format(longestWait)
                + " for its next delivery",
            List.of(
                NatsCommand.edit(
                    stream.getName(),
                    List.of("--max-age=" + NatsCommand.duration(longestWait.multipliedBy(2)))))));
  }

  private static Optional<Finding> replicas(StreamConfiguration stream, boolean clustered) {
    return clustered && stream.getReplicas() == 1
        ? Optional.of(
            Finding.of(
                Rule.SINGLE_REPLICA,
                stream.getName(),
                "it has 1 replica in a cluster",
                List.of(
                    NatsCommand.edit(stream.getName(), List.of("--replicas=" + CLUSTER_REPLICAS)))))
        : Optional.empty();
  }

  private static Optional<Finding> storage(StreamConfiguration stream) {
    return stream.getStorageType() == StorageType.Memory
        ? Optional.of(
            Finding.of(
                Rule.MEMORY_STREAM,
                stream.getName(),
                "it is kept in memory, and its storage cannot be changed",
                List.of(
                    "nats stream rm " + NatsCommand.word(stream.getName()),
                    NatsCommand.addStream(stream))))
        : Optional.empty();
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
