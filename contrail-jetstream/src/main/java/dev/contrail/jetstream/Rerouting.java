package dev.contrail.jetstream;

import dev.contrail.Durations;
import io.nats.client.Connection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends what no consumer claims to another subject. */
final class Rerouting implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ContrailPublisher.class);

  /** Beyond this many subjects, each is logged anew. */
  private static final int MOST_TOLD = 1_000;

  private final Connection connection;
  private final PublisherOptions options;
  private final String fallback;
  private final ClaimsWatch watch;
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  Rerouting(Connection connection, PublisherOptions options, String fallback) {
    this.connection = connection;
    this.options = options;
    this.fallback = fallback;
    this.watch =
        new ClaimsWatch(connection, options.jetStream(), options.refreshEvery(), System::nanoTime);
  }

  /**
   * Makes sure that it can do its work.
   *
   * @throws ContrailException when it cannot, in one sentence
   */
  void start() {
    if (watch.streamTaking(fallback).isEmpty()) {
      throw new ContrailException(
          "No stream takes the fallback subject "
              + fallback
              + "; “nats stream add” makes one that does.");
    }
    boolean unused = watch.isClaimed(fallback);
    if (PublisherCheck.isRefused(connection, "Subscription to \"$JS.EVENT.ADVISORY.")) {
      log.warn(
          "This user may not hear the server's advisories: that a consumer came or went is noticed"
              + " within {} only.",
          Durations.format(options.refreshEvery()));
    }
  }

  /** The fallback, for a subject that no consumer claims. */
  Optional<String> insteadOf(String subject) {
    if (subject.equals(fallback) || watch.isClaimed(subject)) {
      return Optional.empty();
    }
    if (told.size() >= MOST_TOLD) {
      told.clear();
    }
    if (told.add(subject)) {
      log.warn("No consumer claims {}: its messages go to {}.", subject, fallback);
    }
    return Optional.of(fallback);
  }

  void refreshIfDue() {
    watch.refreshIfDue();
  }

  @Override
  public void close() {
    watch.close();
  }
}
