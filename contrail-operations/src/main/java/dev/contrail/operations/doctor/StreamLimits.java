package dev.contrail.operations.doctor;

import dev.contrail.Durations;
import dev.contrail.jetstream.NatsCommand;
import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.jetstream.doctor.Rule;
import dev.contrail.operations.doctor.Survey.SurveyedStream;
import dev.contrail.operations.doctor.Survey.Unread;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/** Limits that are missing, that will be reached, and what they delete. */
final class StreamLimits {
  /** An unread message that has come so far towards its deletion is not read in time by chance. */
  private static final double HALF_WAY = 0.5;

  private static final double NEARLY_FULL = 0.8;
  private static final long ROOM_BYTES = 10L * 1024 * 1024 * 1024;
  private static final int ROOM = 2;

  private StreamLimits() {}

  static final Check.OfStream NONE =
      (survey, stream, found) -> {
        StreamConfiguration limits = stream.configuration();
        if (limits.getMaxAge().isZero() && !isBoundedBySize(limits)) {
          long bytes = stream.now().bytes();
          found.accept(
              Finding.of(
                  Rule.NO_LIMIT,
                  stream.name(),
                  "neither age, bytes nor messages are limited; it holds "
                      + Words.messages(stream.now().messages())
                      + " ("
                      + Words.bytes(bytes)
                      + ")"
                      + growth(stream),
                  List.of(
                      NatsCommand.edit(
                          stream.name(),
                          List.of(
                              "--max-bytes=" + Math.max(ROOM_BYTES, bytes * 10),
                              "--discard=new")))));
        }
      };

  static final Check.OfStream DISCARDS_WORK =
      (survey, stream, found) -> {
        StreamConfiguration limits = stream.configuration();
        if (limits.getRetentionPolicy() != RetentionPolicy.Limits
            && limits.getDiscardPolicy() == DiscardPolicy.Old
            && isBoundedBySize(limits)) {
          found.accept(
              Finding.of(
                  Rule.QUEUE_DISCARDS_OLD,
                  stream.name(),
                  "retention is "
                      + limits.getRetentionPolicy()
                      + " and discard is old, with "
                      + sizes(limits),
                  List.of(NatsCommand.edit(stream.name(), List.of("--discard=new")))));
        }
      };

  static final Check.OfStream UNREAD_WILL_GO =
      (survey, stream, found) -> {
        if (stream.configuration().getRetentionPolicy() == RetentionPolicy.WorkQueue) {
          // All that a workqueue holds is unread, whoever should read it.
          stream
              .now()
              .firstTime()
              .filter(time -> stream.now().messages() > 0)
              .ifPresent(
                  time ->
                      deletion(
                          stream,
                          new Unread(stream.now().firstSequence(), time),
                          Optional.empty(),
                          found));
          return;
        }
        stream
            .consumers()
            .forEach(
                consumer ->
                    consumer
                        .oldestUnread()
                        .ifPresent(
                            unread ->
                                deletion(stream, unread, Optional.of(consumer.name()), found)));
      };

  static final Check.OfStream FULL_SOON =
      (survey, stream, found) ->
          Forecast.full(stream)
              .filter(forecast -> forecast.used() >= NEARLY_FULL)
              .ifPresent(
                  forecast ->
                      found.accept(
                          Finding.of(
                              Rule.FULL_SOON,
                              stream.name(),
                              percent(forecast)
                                  + " of "
                                  + forecast.limit()
                                  + " is used"
                                  + forecast
                                      .left()
                                      .map(left -> ", full in " + text(left) + " at this rate")
                                      .orElse(", and it does not grow at the moment"),
                              List.of(NatsCommand.edit(stream.name(), raised(stream))))));

  private static void deletion(
      SurveyedStream stream, Unread unread, Optional<String> consumer, Consumer<Finding> found) {
    Forecast.deletion(stream, unread)
        .filter(forecast -> forecast.used() >= HALF_WAY)
        .ifPresent(
            forecast -> {
              Finding finding =
                  Finding.of(
                      Rule.UNREAD_WILL_GO,
                      stream.name(),
                      forecast.limit()
                          + " deletes the oldest unread message, "
                          + unread.sequence()
                          + " of "
                          + unread.published()
                          + ", "
                          + forecast
                              .left()
                              .map(left -> "in " + text(left))
                              .orElse("when more is published")
                          + " ("
                          + percent(forecast)
                          + " of the way)",
                      List.of(NatsCommand.edit(stream.name(), raised(stream))));
              found.accept(
                  new Finding(
                      finding.rule(),
                      finding.stream(),
                      consumer,
                      finding.found(),
                      finding.why(),
                      finding.mend()));
            });
  }

  private static List<String> raised(SurveyedStream stream) {
    StreamConfiguration limits = stream.configuration();
    List<String> flags = new ArrayList<>();
    if (!limits.getMaxAge().isZero()) {
      flags.add("--max-age=" + NatsCommand.duration(limits.getMaxAge().multipliedBy(ROOM)));
    }
    if (limits.getMaxMsgs() > 0) {
      flags.add("--max-msgs=" + limits.getMaxMsgs() * ROOM);
    }
    if (limits.getMaxBytes() > 0) {
      flags.add("--max-bytes=" + limits.getMaxBytes() * ROOM);
    }
    return flags;
  }

  private static String growth(SurveyedStream stream) {
    double rate = Forecast.publishRate(stream.now());
    double size =
        stream.now().messages() == 0 ? 0 : (double) stream.now().bytes() / stream.now().messages();
    long aDay = Math.round(rate * size * Duration.ofDays(1).toSeconds());
    return aDay <= 0 ? "" : ", and " + Words.bytes(aDay) + " a day are published to it";
  }

  private static boolean isBoundedBySize(StreamConfiguration limits) {
    return limits.getMaxBytes() > 0 || limits.getMaxMsgs() > 0;
  }

  private static String sizes(StreamConfiguration limits) {
    String messages = limits.getMaxMsgs() > 0 ? "max msgs " + limits.getMaxMsgs() : "";
    String bytes = limits.getMaxBytes() > 0 ? "max bytes " + Words.bytes(limits.getMaxBytes()) : "";
    return messages + (messages.isEmpty() || bytes.isEmpty() ? "" : " and ") + bytes;
  }

  private static String percent(Forecast forecast) {
    return String.format(Locale.ROOT, "%.0f%%", forecast.used() * 100);
  }

  private static String text(Duration left) {
    return Durations.format(Duration.ofSeconds(left.toSeconds()));
  }
}
