package dev.contrail.operations.doctor;

import dev.contrail.jetstream.NatsCommand;
import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.jetstream.doctor.Rule;
import dev.contrail.operations.doctor.Survey.SurveyedConsumer;
import dev.contrail.operations.doctor.Survey.SurveyedStream;
import io.nats.client.api.RetentionPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Servers that are known to lose messages, and which streams it concerns. */
final class KnownLosses {
  /** From here on nobody has tried whether servers do what 2.10.27 was seen to do. */
  private static final String UNTRIED_FROM = "2.11.0";

  private static final String TRIED_WITHOUT = "2.15.1";
  private static final Pattern VERSION = Pattern.compile("v?(\\d+)\\.(\\d+)\\.(\\d+).*");

  /**
   * A fault.
   *
   * @param from the first version that has it
   * @param until the first version that is not known to have it
   * @param without a later version that is known to be without it
   * @param concerns the streams and consumers of which messages are lost
   */
  private record Loss(
      String from,
      String until,
      String without,
      String what,
      Kind kind,
      BiPredicate<SurveyedStream, SurveyedConsumer> concerns) {
    boolean isIn(int[] version) {
      return Arrays.compare(version, parse(from)) >= 0 && Arrays.compare(version, parse(until)) < 0;
    }
  }

  /** By what messages come to be lost. */
  private enum Kind {
    EXHAUSTED {
      @Override
      String given(SurveyedConsumer consumer) {
        return "MaxDeliver is " + consumer.configuration().getMaxDeliver();
      }

      @Override
      String mend(SurveyedStream stream, SurveyedConsumer consumer) {
        return NatsCommand.consumer("edit --max-deliver=-1", stream.name(), consumer.name());
      }
    },
    PASSED_OVER {
      @Override
      String given(SurveyedConsumer consumer) {
        return "messages may purge their subject (allow_rollup_hdrs)";
      }

      @Override
      String mend(SurveyedStream stream, SurveyedConsumer consumer) {
        return NatsCommand.edit(stream.name(), List.of("--no-allow-rollup"));
      }
    };

    abstract String given(SurveyedConsumer consumer);

    abstract String mend(SurveyedStream stream, SurveyedConsumer consumer);
  }

  private static final List<Loss> ALL =
      List.of(
          new Loss(
              "2.12.3",
              "2.12.5",
              "2.12.5",
              "deletes messages that exhausted MaxDeliver from replicated workqueues"
                  + " (nats-server #7817)",
              Kind.EXHAUSTED,
              KnownLosses::givesUpOnAReplicatedWorkQueue),
          // Seen on 2.10.27; nobody has tried the others of 2.10.
          new Loss(
              "2.10.0",
              UNTRIED_FROM,
              TRIED_WITHOUT,
              "may delete messages that exhausted MaxDeliver from replicated workqueues when a server"
                  + " of the cluster ends, as 2.10.27 does",
              Kind.EXHAUSTED,
              KnownLosses::givesUpOnAReplicatedWorkQueue),
          new Loss(
              "0.0.0",
              "2.10.26",
              "2.10.26",
              "deletes messages that exhausted MaxDeliver from interest streams as soon as another"
                  + " consumer has read them (nats-server #6538)",
              Kind.EXHAUSTED,
              (stream, consumer) ->
                  consumer.givesUp()
                      && stream.configuration().getRetentionPolicy() == RetentionPolicy.Interest),
          new Loss(
              "0.0.0",
              "2.9.15",
              "2.9.15",
              "moves a consumer of several subjects past what it has not read of the others when"
                  + " one of them is purged (nats-server #3838)",
              Kind.PASSED_OVER,
              // Nobody can see from outside whether somebody purges a subject now and then; such
              // messages are meant to.
              (stream, consumer) ->
                  stream.configuration().getAllowRollup()
                      && consumer.isDurable()
                      && takesSeveral(subjects(stream, consumer))));

  private KnownLosses() {}

  static final Check.OfConsumer CHECK =
      (survey, stream, consumer, found) -> {
        int[] version = parse(survey.server().version());
        if (version.length == 0) {
          return;
        }
        losses(version, stream, consumer)
            .forEach(
                loss ->
                    found.accept(
                        Finding.of(
                            Rule.KNOWN_LOSS,
                            stream.name(),
                            consumer.name(),
                            loss.kind().given(consumer)
                                + ", and nats-server "
                                + survey.server().version()
                                + " "
                                + loss.what()
                                + "; "
                                + loss.without()
                                + " does not",
                            List.of(loss.kind().mend(stream, consumer)))));
      };

  /** What is not known of this version, where it would matter; empty where all is. */
  static Optional<String> notTried(Survey survey) {
    String version = survey.server().version();
    int[] parsed = parse(version);
    if (parsed.length == 0) {
      return Optional.of(
          "CT050, which losses nats-server " + version + " is known for: not a version x.y.z");
    }
    boolean tried =
        Arrays.compare(parsed, parse(UNTRIED_FROM)) < 0
            || Arrays.compare(parsed, parse(TRIED_WITHOUT)) >= 0;
    List<String> concerned =
        survey.streams().stream()
            .flatMap(
                stream ->
                    stream.consumers().stream()
                        .filter(consumer -> givesUpOnAReplicatedWorkQueue(stream, consumer))
                        .filter(consumer -> losses(parsed, stream, consumer).findAny().isEmpty())
                        .map(consumer -> stream.name() + "/" + consumer.name()))
            .toList();
    return tried || concerned.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "CT050, whether nats-server "
                + version
                + " deletes from replicated workqueues what exhausted MaxDeliver, as 2.10.27 does"
                + " and "
                + TRIED_WITHOUT
                + " does not: not tried with this version; it concerns "
                + Words.some(concerned));
  }

  private static Stream<Loss> losses(
      int[] version, SurveyedStream stream, SurveyedConsumer consumer) {
    return ALL.stream()
        .filter(loss -> loss.isIn(version) && loss.concerns().test(stream, consumer));
  }

  private static boolean givesUpOnAReplicatedWorkQueue(
      SurveyedStream stream, SurveyedConsumer consumer) {
    return consumer.givesUp()
        && stream.configuration().getRetentionPolicy() == RetentionPolicy.WorkQueue
        && stream.configuration().getReplicas() > 1;
  }

  private static List<String> subjects(SurveyedStream stream, SurveyedConsumer consumer) {
    return consumer.filters().isEmpty() ? stream.configuration().getSubjects() : consumer.filters();
  }

  private static boolean takesSeveral(List<String> subjects) {
    return subjects.size() > 1
        || subjects.stream().anyMatch(it -> it.contains("*") || it.contains(">"));
  }

  /** Major, minor and patch; none of a version that cannot be read. */
  private static int[] parse(String version) {
    Matcher matcher = VERSION.matcher(version);
    if (!matcher.matches()) {
      return new int[0];
    }
    int[] parts = new int[3];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = Integer.parseInt(matcher.group(i + 1));
    }
    return parts;
  }
}
