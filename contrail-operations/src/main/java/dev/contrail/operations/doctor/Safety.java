package dev.contrail.operations.doctor;

import dev.contrail.Durations;
import dev.contrail.jetstream.NatsCommand;
import dev.contrail.jetstream.WorkerRules;
import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.jetstream.doctor.Rule;
import dev.contrail.operations.doctor.Survey.SurveyedConsumer;
import dev.contrail.operations.doctor.Survey.SurveyedStream;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** What a crash, a retry or a replay would do to a stream. */
final class Safety {
  /** A replay tries for so long to learn what became of a publish. */
  private static final Duration LEAST_WINDOW = Duration.ofMinutes(1);

  private static final Duration USUAL_WINDOW = Duration.ofMinutes(2);

  private Safety() {}

  static final Check.OfStream STREAMS =
      (survey, stream, found) ->
          WorkerRules.ofStream(
                  stream.configuration(), stream.clustered(), longestWait(survey, stream))
              .forEach(found);

  static final Check.OfStream DUPLICATES =
      (survey, stream, found) -> {
        Duration window = stream.configuration().getDuplicateWindow();
        if (window != null
            && window.compareTo(LEAST_WINDOW) < 0
            && stream.hasForeignConsumer(Safety::mayReplayFor)) {
          found.accept(
              Finding.of(
                  Rule.SHORT_DUPLICATE_WINDOW,
                  stream.name(),
                  "the duplicate window is " + Durations.format(window),
                  List.of(NatsCommand.edit(stream.name(), longer(stream)))));
        }
      };

  // The server takes no window that is longer than max age.
  private static List<String> longer(SurveyedStream stream) {
    Duration age = stream.configuration().getMaxAge();
    Duration window = age.isZero() || age.compareTo(USUAL_WINDOW) > 0 ? USUAL_WINDOW : age;
    return window.compareTo(LEAST_WINDOW) < 0
        ? List.of(
            "--max-age=" + NatsCommand.duration(USUAL_WINDOW),
            "--dupe-window=" + NatsCommand.window(USUAL_WINDOW))
        : List.of("--dupe-window=" + NatsCommand.window(window));
  }

  static final Check SYNC =
      (survey, found) ->
          survey
              .server()
              .syncInterval()
              .filter(interval -> !interval.isZero())
              .ifPresent(
                  interval -> {
                    List<String> single =
                        Stream.concat(
                                survey.streams().stream().map(SurveyedStream::configuration),
                                survey.stores().values().stream())
                            .filter(Safety::isOnOneDisk)
                            .map(StreamConfiguration::getName)
                            .sorted()
                            .toList();
                    if (!single.isEmpty()) {
                      found.accept(
                          Finding.of(
                              Rule.SYNC_INTERVAL,
                              "sync_interval is "
                                  + Durations.format(interval)
                                  + ", and one server alone keeps "
                                  + Words.some(single),
                              "# in nats-server.conf: jetstream { sync_interval: always }"));
                    }
                  });

  private static Duration longestWait(Survey survey, SurveyedStream stream) {
    Duration longest = Duration.ZERO;
    for (SurveyedConsumer consumer : stream.consumers()) {
      Duration delay = consumer.worked() ? survey.assumed().longestDelay() : Duration.ZERO;
      Duration wait = WorkerRules.effectiveAckWait(consumer.configuration(), delay);
      if (consumer.isDurable() && wait.compareTo(longest) > 0) {
        longest = wait;
      }
    }
    return longest;
  }

  private static boolean mayReplayFor(SurveyedConsumer consumer) {
    return consumer.isDurable() && consumer.configuration().getAckPolicy() == AckPolicy.Explicit;
  }

  private static boolean isOnOneDisk(StreamConfiguration stream) {
    return stream.getReplicas() == 1 && stream.getStorageType() == StorageType.File;
  }
}
