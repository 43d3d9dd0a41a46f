package dev.contrail.operations.doctor;

import dev.contrail.Durations;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Store;
import dev.contrail.jetstream.WorkerRules;
import dev.contrail.operations.doctor.Survey.ConsumerMoment;
import dev.contrail.operations.doctor.Survey.SurveyedConsumer;
import dev.contrail.operations.doctor.Survey.SurveyedStream;
import dev.contrail.operations.server.JetStreamServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.StreamConfiguration;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Streams and consumers as the doctor sees them, whether anything is wrong with them or not. It
 * remembers the last look, for what can only be told from two of them; for one thread at a time.
 */
public final class StreamStates {
  /** What was longer ago tells nothing of now. */
  private static final Duration LONGEST_BETWEEN = Duration.ofMinutes(5);

  private final JetStreamServer server;
  private final Names names;
  private final Duration longestDelay;
  private Map<String, ConsumerMoment> seen = Map.of();

  /**
   * Of an account.
   *
   * @param longestDelay the longest retry delay of Contrail's workers
   */
  public StreamStates(
      Connection connection, JetStreamOptions jetStream, Names names, Duration longestDelay) {
    this.server = new JetStreamServer(connection, jetStream);
    this.names = names;
    this.longestDelay = longestDelay;
  }

  /**
   * A stream.
   *
   * @param limits what bounds it, in words
   * @param forecast the limit that will act first, where there is one
   */
  public record OfStream(
      String name,
      String retention,
      String storage,
      int replicas,
      long messages,
      long bytes,
      long firstSequence,
      long lastSequence,
      Optional<Instant> oldest,
      String limits,
      Optional<Limit> forecast,
      List<OfConsumer> consumers) {}

  /**
   * How far a limit is.
   *
   * @param used from 0 to 1
   * @param left how long it will take; empty where that is not known, or far
   */
  public record Limit(String limit, double used, Optional<Duration> left) {}

  /**
   * A consumer.
   *
   * @param effectiveAckWait how long a message may wait for its next delivery, all that delays it
   *     considered
   * @param lag messages that were not delivered yet
   * @param inFlight messages that were delivered, and are not settled
   * @param redelivered how many of them were delivered more than once
   * @param redeliveries since the look before this one; empty where that was long ago
   * @param worked whether Contrail works it
   * @param attended whether somebody waits for its messages
   */
  public record OfConsumer(
      String name,
      Duration ackWait,
      Duration effectiveAckWait,
      long lag,
      long inFlight,
      long maxInFlight,
      long redelivered,
      Optional<RedeliveryRate> redeliveries,
      boolean worked,
      boolean attended,
      Optional<Instant> lastActive) {}

  /**
   * All streams but Contrail's own, by name.
   *
   * @param most of which no more are looked at
   * @throws ContrailException when the server does not answer
   */
  public List<OfStream> list(int most) {
    StreamSurveyor surveyor = new StreamSurveyor(server, Set.of(), Clock.systemUTC());
    List<OfStream> states = new ArrayList<>();
    Map<String, ConsumerMoment> now = new HashMap<>();
    server.streams().stream()
        .map(info -> info.getConfiguration().getName())
        .filter(name -> !Store.isOwn(name, names))
        .sorted()
        .limit(most)
        .forEach(
            name ->
                surveyor
                    .glance(name)
                    .flatMap(before -> surveyor.survey(name, before))
                    .ifPresent(
                        stream -> {
                          states.add(state(stream));
                          stream.consumers().forEach(it -> now.put(key(stream, it), it.now()));
                        }));
    seen = now;
    return states;
  }

  private OfStream state(SurveyedStream stream) {
    StreamConfiguration configuration = stream.configuration();
    return new OfStream(
        stream.name(),
        configuration.getRetentionPolicy().toString(),
        configuration.getStorageType().toString().toLowerCase(Locale.ROOT),
        configuration.getReplicas(),
        stream.now().messages(),
        stream.now().bytes(),
        stream.now().firstSequence(),
        stream.now().lastSequence(),
        stream.now().firstTime().filter(any -> stream.now().messages() > 0),
        limits(configuration),
        forecast(stream),
        stream.consumers().stream().map(it -> state(stream, it)).toList());
  }

  /** Names have neither dots nor spaces; one that was made again is another. */
  private static String key(SurveyedStream stream, SurveyedConsumer consumer) {
    return stream.name() + "." + consumer.name() + "." + consumer.created();
  }

  private Optional<RedeliveryRate> redeliveries(SurveyedStream stream, SurveyedConsumer consumer) {
    return Optional.ofNullable(seen.get(key(stream, consumer)))
        .flatMap(
            before -> RedeliveryRate.between(before, consumer.now(), !consumer.filters().isEmpty()))
        .filter(rate -> rate.over().compareTo(LONGEST_BETWEEN) <= 0);
  }

  private OfConsumer state(SurveyedStream stream, SurveyedConsumer consumer) {
    Duration delay = consumer.worked() ? longestDelay : Duration.ZERO;
    return new OfConsumer(
        consumer.name(),
        consumer.configuration().getAckWait(),
        WorkerRules.effectiveAckWait(consumer.configuration(), delay),
        consumer.now().pending(),
        consumer.now().ackPending(),
        consumer.configuration().getMaxAckPending(),
        consumer.now().redelivered(),
        redeliveries(stream, consumer),
        consumer.worked(),
        consumer.now().attended(),
        consumer.now().lastActive());
  }

  private static Optional<Limit> forecast(SurveyedStream stream) {
    Stream<Forecast> deletions =
        stream.consumers().stream()
            .flatMap(consumer -> consumer.oldestUnread().stream())
            .flatMap(unread -> Forecast.deletion(stream, unread).stream());
    return Stream.concat(Forecast.full(stream).stream(), deletions)
        .max(Comparator.comparingDouble(Forecast::used))
        .map(it -> new Limit(it.limit(), it.used(), it.left()));
  }

  private static String limits(StreamConfiguration stream) {
    List<String> limits = new ArrayList<>();
    if (stream.getMaxAge() != null && !stream.getMaxAge().isZero()) {
      limits.add("age " + Durations.format(stream.getMaxAge()));
    }
    if (stream.getMaxBytes() > 0) {
      limits.add("size " + Words.bytes(stream.getMaxBytes()));
    }
    if (stream.getMaxMsgs() > 0) {
      limits.add(Words.messages(stream.getMaxMsgs()));
    }
    return limits.isEmpty()
        ? "none"
        : String.join(", ", limits)
            + ", discards "
            + stream.getDiscardPolicy().toString().toLowerCase(Locale.ROOT);
  }
}
