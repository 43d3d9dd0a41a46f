package dev.contrail.operations.doctor;

import dev.contrail.jetstream.NatsCommand;
import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.jetstream.doctor.Rule;
import dev.contrail.operations.doctor.Survey.SurveyedStream;
import io.nats.client.api.RetentionPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Servers that are known to lose messages, and which streams it concerns. */
final class KnownLosses {
  private static final Pattern VERSION = Pattern.compile("v?(\\d+)\\.(\\d+)\\.(\\d+).*");

  /**
   * A fault.
   *
   * @param from the first version that has it
   * @param mended the first version without it
   */
  private record Loss(String from, String mended, String what, Predicate<SurveyedStream> concerns) {
    boolean isIn(int[] version) {
      return Arrays.compare(version, parse(from)) >= 0
          && Arrays.compare(version, parse(mended)) < 0;
    }
  }

  private static final List<Loss> ALL =
      List.of(
          new Loss(
              "2.12.3",
              "2.12.5",
              "deletes messages that exhausted MaxDeliver from replicated workqueues"
                  + " (nats-server #7817)",
              stream ->
                  stream.configuration().getRetentionPolicy() == RetentionPolicy.WorkQueue
                      && stream.configuration().getReplicas() > 1),
          new Loss(
              "0.0.0",
              "2.10.26",
              "deletes messages that exhausted MaxDeliver from interest streams as soon as another"
                  + " consumer has read them (nats-server #6538)",
              stream -> stream.configuration().getRetentionPolicy() == RetentionPolicy.Interest));

  private KnownLosses() {}

  static final Check.OfConsumer CHECK =
      (survey, stream, consumer, found) -> {
        int[] version = parse(survey.server().version());
        if (version.length == 0 || !consumer.givesUp()) {
          return;
        }
        for (Loss loss : ALL) {
          if (loss.isIn(version) && loss.concerns().test(stream)) {
            found.accept(
                Finding.of(
                    Rule.KNOWN_LOSS,
                    stream.name(),
                    consumer.name(),
                    "MaxDeliver is "
                        + consumer.configuration().getMaxDeliver()
                        + ", and nats-server "
                        + survey.server().version()
                        + " "
                        + loss.what()
                        + "; "
                        + loss.mended()
                        + " does not",
                    List.of(
                        NatsCommand.consumer(
                            "edit --max-deliver=-1", stream.name(), consumer.name()))));
          }
        }
      };

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
