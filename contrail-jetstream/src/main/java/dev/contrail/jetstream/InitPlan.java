package dev.contrail.jetstream;

import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.KeyValueConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * The streams and buckets that Contrail needs on a server.
 *
 * @param names what they are called
 * @param replicas how many of each; empty means three in a cluster of three or more, else one
 * @param retryWindow how long a message may be retried, which notes on retries must outlive
 */
public record InitPlan(Names names, OptionalInt replicas, Duration retryWindow) {
  private static final Duration DEFAULT_RETRY_WINDOW = Duration.ofHours(24);
  private static final Duration NOTES_OUTLIVE = Duration.ofHours(1);
  private static final Duration ADVISORIES_LAST = Duration.ofDays(30);
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration WORKER_REPORT = Duration.ofSeconds(30);
  private static final String ADVISORY = "$JS.EVENT.ADVISORY.CONSUMER.";
  private static final int MOST_REPLICAS = 5;
  private static final int PAUSES_REMEMBERED = 32;

  /**
   * Checks the numbers.
   *
   * @throws ContrailException when the replicas are not 1 to 5, or the window is not positive
   */
  public InitPlan {
    if (replicas.isPresent() && (replicas.getAsInt() < 1 || replicas.getAsInt() > MOST_REPLICAS)) {
      throw new ContrailException(
          "Replicas are 1 to " + MOST_REPLICAS + ", not " + replicas.getAsInt() + ".");
    }
    if (retryWindow.isNegative() || retryWindow.isZero()) {
      throw new ContrailException("The retry window must be longer than " + retryWindow + ".");
    }
  }

  /** With a retry window of 24 hours, and replicas as the cluster allows. */
  public static InitPlan of(Names names) {
    return new InitPlan(names, OptionalInt.empty(), DEFAULT_RETRY_WINDOW);
  }

  /** The same with so many replicas of each. */
  public InitPlan withReplicas(int count) {
    return new InitPlan(names, OptionalInt.of(count), retryWindow);
  }

  /** The same for a longer or shorter retry window. */
  public InitPlan withRetryWindow(Duration window) {
    return new InitPlan(names, replicas, window);
  }

  /** How the stream behind a store is configured. */
  public StreamConfiguration configuration(Store store, int replicaCount) {
    return switch (store) {
      case DEAD_LETTERS ->
          evidence(store, names.deadLetterSubjects(), names.partSubjects())
              .replicas(replicaCount)
              .build();
      case EVENTS -> evidence(store, names.eventSubjects()).replicas(replicaCount).build();
      case LEDGER -> evidence(store, names.ledgerSubjects()).replicas(replicaCount).build();
      case ADVISORIES ->
          stream(store, ADVISORY + "MAX_DELIVERIES.>", ADVISORY + "MSG_TERMINATED.>")
              .discardPolicy(DiscardPolicy.Old)
              .maxAge(ADVISORIES_LAST)
              .replicas(replicaCount)
              .build();
      case LEASES -> bucket(names.leasesBucket(), LEASE, replicaCount);
      case RETRIES -> bucket(names.retriesBucket(), retryWindow.plus(NOTES_OUTLIVE), replicaCount);
      case WORKERS -> bucket(names.workersBucket(), WORKER_REPORT, replicaCount);
      // A pause lasts until somebody ends it; who did what before stays to be seen.
      case PAUSES -> bucket(names.pausesBucket(), Duration.ZERO, replicaCount, PAUSES_REMEMBERED);
      // A token is worth something until it is revoked.
      case TOKENS -> bucket(names.tokensBucket(), Duration.ZERO, replicaCount);
    };
  }

  /** The commands of the {@code nats} tool that create all of it, one line each. */
  public List<String> commands() {
    return Arrays.stream(Store.values())
        .map(store -> NatsCommand.add(store, names, configuration(store, shownReplicas())))
        .toList();
  }

  /** All of it as JSON: {@code {"streams": […]}} with the configurations the server takes. */
  public String json() {
    return Arrays.stream(Store.values())
        .map(store -> configuration(store, shownReplicas()).toJson())
        .collect(Collectors.joining(",\n  ", "{\"streams\": [\n  ", "\n]}"));
  }

  private int shownReplicas() {
    return replicas.orElse(1);
  }

  private StreamConfiguration.Builder evidence(Store store, String... subjects) {
    return stream(store, subjects).discardPolicy(DiscardPolicy.New);
  }

  // No direct reads: another replica than the leader may answer those, with what was before.
  private StreamConfiguration.Builder stream(Store store, String... subjects) {
    return StreamConfiguration.builder()
        .name(store.stream(names))
        .description("Contrail for NATS")
        .subjects(subjects)
        .storageType(StorageType.File)
        .retentionPolicy(RetentionPolicy.Limits)
        .duplicateWindow(Duration.ofMinutes(2))
        .allowDirect(false);
  }

  private static StreamConfiguration bucket(String name, Duration ttl, int replicaCount) {
    return bucket(name, ttl, replicaCount, 1);
  }

  private static StreamConfiguration bucket(
      String name, Duration ttl, int replicaCount, int history) {
    return KeyValueConfiguration.builder()
        .name(name)
        .maxHistoryPerKey(history)
        .description("Contrail for NATS")
        .ttl(ttl)
        .replicas(replicaCount)
        .build()
        .getBackingConfig();
  }
}
