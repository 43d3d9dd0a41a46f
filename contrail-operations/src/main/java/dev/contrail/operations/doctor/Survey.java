package dev.contrail.operations.doctor;

import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Store;
import dev.contrail.jetstream.doctor.Finding;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What the server told, at two moments where rates matter.
 *
 * @param streams without those that are Contrail's own
 * @param stores those of Contrail's own streams that are there
 * @param guarded whether a guard leads
 * @param probed what came of looking that is a finding by itself
 */
record Survey(
    ServerFacts server,
    InitPlan plan,
    List<SurveyedStream> streams,
    Map<Store, StreamConfiguration> stores,
    boolean guarded,
    Assumptions assumed,
    List<Finding> probed) {
  Survey {
    streams = List.copyOf(streams);
    stores = Map.copyOf(stores);
    probed = List.copyOf(probed);
  }

  /**
   * The server that is connected to.
   *
   * @param maxPayload the largest message that it takes
   * @param syncInterval how long after a write it syncs the disk, where that is known; zero: at
   *     once
   */
  record ServerFacts(String version, long maxPayload, Optional<Duration> syncInterval) {}

  /**
   * A stream.
   *
   * @param subjects how many messages of each subject it has; empty where that was not asked for,
   *     since all of them are some consumer's
   */
  record SurveyedStream(
      StreamConfiguration configuration,
      boolean clustered,
      StreamMoment before,
      StreamMoment now,
      Map<String, Long> subjects,
      List<SurveyedConsumer> consumers) {
    SurveyedStream {
      subjects = Map.copyOf(subjects);
      consumers = List.copyOf(consumers);
    }

    String name() {
      return configuration.getName();
    }

    boolean hasForeignConsumer(Predicate<SurveyedConsumer> such) {
      return consumers.stream().anyMatch(one -> !one.worked() && such.test(one));
    }
  }

  /**
   * What a stream held at one moment.
   *
   * @param at by the clock of the server that told it, as all the times in it
   */
  record StreamMoment(
      Instant at,
      long messages,
      long bytes,
      long firstSequence,
      Optional<Instant> firstTime,
      long lastSequence,
      Optional<Instant> lastTime) {}

  /**
   * A consumer.
   *
   * @param worked whether Contrail works it
   * @param oldestUnread the oldest message that it has not settled, where that was asked for
   */
  record SurveyedConsumer(
      String name,
      ConsumerConfiguration configuration,
      Instant created,
      boolean worked,
      ConsumerMoment before,
      ConsumerMoment now,
      Optional<Unread> oldestUnread) {
    boolean isDurable() {
      return configuration.getDurable() != null && !configuration.getDurable().isEmpty();
    }

    /**
     * Whether the server stops to deliver a message at some time; without acks it never repeats.
     */
    boolean givesUp() {
      return configuration.getMaxDeliver() > 0 && configuration.getAckPolicy() != AckPolicy.None;
    }

    /** The subjects that it takes; none means all of the stream's. */
    List<String> filters() {
      List<String> filters = configuration.getFilterSubjects();
      return filters == null ? List.of() : filters;
    }
  }

  /** A message that a consumer has not settled. */
  record Unread(long sequence, Instant published) {}

  /**
   * Where a consumer was at one moment.
   *
   * @param at by the clock of the server that told it, as all the times in it
   * @param redelivered how many of the unsettled messages were delivered more than once
   * @param attended whether somebody waits for its messages
   */
  record ConsumerMoment(
      Instant at,
      long deliveries,
      long deliveredSequence,
      long ackFloor,
      long pending,
      long ackPending,
      long redelivered,
      boolean attended,
      Optional<Instant> lastActive) {}

  /**
   * What the server cannot tell of those who work.
   *
   * @param deliveryLimit after how many deliveries Contrail's workers give up
   * @param longestDelay the longest retry delay of Contrail's workers
   * @param forgottenAfter from when on a durable that nobody attends is taken for forgotten
   * @param ledger why a ledger that forgets by time cannot serve an effective AckWait
   */
  record Assumptions(
      long deliveryLimit, Duration longestDelay, Duration forgottenAfter, LedgerCheck ledger) {}
}
