package dev.contrail.jetstream;

import io.nats.client.JetStreamOptions;
import java.time.Duration;
import java.util.Optional;

/**
 * What a publisher is told.
 *
 * @param retryFor how long a message is sent again and again
 * @param inFlight how many messages may be under way
 * @param inFlightBytes how many bytes of them
 * @param duplicateWindow that of all streams, for users that may not ask
 * @param fallback where messages go that no consumer claims
 * @param refreshEvery how often that is looked up when nothing tells of changes
 */
record PublisherOptions(
    Duration retryFor,
    int inFlight,
    long inFlightBytes,
    Optional<Duration> duplicateWindow,
    Optional<String> fallback,
    Duration refreshEvery,
    JetStreamOptions jetStream) {
  static final PublisherOptions DEFAULT =
      new PublisherOptions(
          Duration.ofMinutes(1),
          1_000,
          64L * 1024 * 1024,
          Optional.empty(),
          Optional.empty(),
          Duration.ofSeconds(10),
          JetStreamOptions.defaultOptions());

  Duration answerTimeout() {
    return Optional.ofNullable(jetStream.getRequestTimeout()).orElse(Duration.ofSeconds(5));
  }
}
