package dev.contrail.operations.doctor;

import dev.contrail.jetstream.WorkerRules;
import dev.contrail.operations.doctor.Survey.ConsumerMoment;
import dev.contrail.operations.doctor.Survey.StreamMoment;
import dev.contrail.operations.doctor.Survey.SurveyedConsumer;
import dev.contrail.operations.doctor.Survey.SurveyedStream;
import dev.contrail.operations.doctor.Survey.Unread;
import dev.contrail.operations.server.JetStreamServer;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import io.nats.client.api.StreamState;
import java.time.Clock;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Asks the server about one stream and its consumers. */
final class StreamSurveyor {
  private static final String ALL = ">";

  private final JetStreamServer server;
  private final Set<String> worked;
  private final Clock clock;

  /**
   * Asks that server.
   *
   * @param worked consumers that Contrail works whoever made them, as {@code stream/consumer}
   * @param clock for servers that do not tell their time
   */
  StreamSurveyor(JetStreamServer server, Set<String> worked, Clock clock) {
    this.server = server;
    this.worked = worked;
    this.clock = clock;
  }

  /** A stream and its consumers at one moment. */
  record Glance(StreamInfo stream, StreamMoment moment, Map<String, ConsumerGlance> consumers) {}

  /** A consumer at one moment. */
  record ConsumerGlance(ConsumerInfo info, ConsumerMoment moment) {}

  /** Empty when the stream is gone. */
  Optional<Glance> glance(String name) {
    return server.stream(name)
        .map(
            stream ->
                new Glance(
                    stream,
                    moment(stream),
                    server.answeringConsumers(name).stream()
                        .map(info -> new ConsumerGlance(info, moment(info)))
                        .collect(Collectors.toMap(glance -> glance.info().getName(), identity()))));
  }

  /** The stream as it is now, and as it was; empty when it is gone. */
  Optional<SurveyedStream> survey(String name, Glance before) {
    return glance(name)
        .map(
            now ->
                new SurveyedStream(
                    now.stream().getConfiguration(),
                    WorkerRules.isClustered(now.stream()),
                    before.moment(),
                    now.moment(),
                    subjects(name, now),
                    now.consumers().values().stream()
                        .sorted(Comparator.comparing(consumer -> consumer.info().getName()))
                        .map(consumer -> consumer(now, before, consumer))
                        .toList()));
  }

  private SurveyedConsumer consumer(Glance stream, Glance before, ConsumerGlance now) {
    String name = now.info().getName();
    String both = stream.stream().getConfiguration().getName() + "/" + name;
    return new SurveyedConsumer(
        name,
        now.info().getConsumerConfiguration(),
        now.info().getCreationTime().toInstant(),
        WorkerRules.isMadeByContrail(now.info().getConsumerConfiguration())
            || worked.contains(both),
        before.consumers().getOrDefault(name, now).moment(),
        now.moment(),
        oldestUnread(stream, now));
  }

  /** Only where some messages are nobody's: the list grows with the subjects. */
  private Map<String, Long> subjects(String name, Glance stream) {
    long claimed =
        stream.consumers().values().stream()
            .mapToLong(it -> it.moment().pending() + it.moment().ackPending())
            .sum();
    return stream.stream().getConfiguration().getRetentionPolicy() == RetentionPolicy.WorkQueue
            && stream.moment().messages() > claimed
        ? server.subjects(name, ALL)
        : Map.of();
  }

  private Optional<Unread> oldestUnread(Glance stream, ConsumerGlance consumer) {
    StreamConfiguration configuration = stream.stream().getConfiguration();
    ConsumerMoment moment = consumer.moment();
    boolean waits = moment.pending() + moment.ackPending() > 0;
    boolean durable = consumer.info().getConsumerConfiguration().getDurable() != null;
    if (!waits || !durable || !mayDelete(configuration)) {
      return Optional.empty();
    }
    List<String> filters = consumer.info().getConsumerConfiguration().getFilterSubjects();
    Stream<String> subjects =
        filters == null || filters.isEmpty() ? Stream.of(ALL) : filters.stream();
    return subjects
        .flatMap(subject -> next(configuration.getName(), moment.ackFloor() + 1, subject).stream())
        .min(Comparator.comparingLong(Unread::sequence));
  }

  private Optional<Unread> next(String stream, long from, String subject) {
    return server
        .find(
            "read the oldest message of " + stream + " that is not acknowledged",
            it -> it.getNextMessage(stream, from, subject))
        .flatMap(StreamSurveyor::unread);
  }

  private static Optional<Unread> unread(MessageInfo message) {
    return time(message.getTime()).map(time -> new Unread(message.getSeq(), time));
  }

  private static boolean mayDelete(StreamConfiguration stream) {
    boolean bounded = stream.getMaxMsgs() > 0 || stream.getMaxBytes() > 0;
    return !stream.getMaxAge().isZero()
        || (bounded && stream.getDiscardPolicy() == DiscardPolicy.Old);
  }

  private StreamMoment moment(StreamInfo info) {
    StreamState state = info.getStreamState();
    return new StreamMoment(
        at(info.getTimestamp(), time(state.getLastTime())),
        state.getMsgCount(),
        state.getByteCount(),
        state.getFirstSequence(),
        time(state.getFirstTime()),
        state.getLastSequence(),
        time(state.getLastTime()));
  }

  private ConsumerMoment moment(ConsumerInfo info) {
    Optional<Instant> lastActive =
        Stream.of(info.getDelivered(), info.getAckFloor())
            .flatMap(pair -> time(pair.getLastActive()).stream())
            .max(Comparator.naturalOrder());
    return new ConsumerMoment(
        at(info.getTimestamp(), lastActive),
        info.getDelivered().getConsumerSequence(),
        info.getDelivered().getStreamSequence(),
        info.getAckFloor().getStreamSequence(),
        info.getNumPending(),
        info.getNumAckPending(),
        info.getRedelivered(),
        info.getNumWaiting() > 0 || info.isPushBound(),
        lastActive);
  }

  /** The server's own time. One of 2.9 does not tell it; it is no earlier than what it told of. */
  private Instant at(@Nullable ZonedDateTime told, Optional<Instant> last) {
    return time(told)
        .orElseGet(
            () -> {
              Instant here = clock.instant();
              return last.filter(here::isBefore).orElse(here);
            });
  }

  // Servers write year 1 where there is none.
  private static Optional<Instant> time(@Nullable ZonedDateTime time) {
    return Optional.ofNullable(time)
        .map(ZonedDateTime::toInstant)
        .filter(instant -> instant.isAfter(Instant.EPOCH));
  }

  private static <T> Function<T, T> identity() {
    return Function.identity();
  }
}
