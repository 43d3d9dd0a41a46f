package dev.contrail.operations.doctor;

import dev.contrail.Durations;
import dev.contrail.jetstream.NatsCommand;
import dev.contrail.jetstream.Store;
import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.jetstream.doctor.Rule;
import io.nats.client.api.AckPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Consumers that other programs work. */
final class ForeignConsumers {
  private static final String USUAL_WAIT = "30s";

  private ForeignConsumers() {}

  static final Check.OfConsumer MAX_DELIVER =
      (survey, stream, consumer, found) -> {
        if (givesUp(consumer) && isCaptured(survey) && !survey.guarded()) {
          found.accept(
              Finding.of(
                  Rule.UNGUARDED_MAX_DELIVER,
                  stream.name(),
                  consumer.name(),
                  "MaxDeliver is "
                      + consumer.configuration().getMaxDeliver()
                      + ", and no guard runs",
                  List.of("contrail guard")));
        }
      };

  static final Check.OfConsumer BACK_OFF =
      (survey, stream, consumer, found) -> {
        List<Duration> steps = consumer.configuration().getBackoff();
        if (!consumer.worked() && !steps.isEmpty()) {
          found.accept(
              Finding.of(
                  Rule.BACKOFF_FOR_ACK_WAIT,
                  stream.name(),
                  consumer.name(),
                  "BackOff is "
                      + steps.stream().map(Durations::format).collect(Collectors.joining(", "))
                      + ", so a first delivery is given up after "
                      + Durations.format(steps.get(0)),
                  List.of(
                      NatsCommand.consumer(
                          "edit --backoff=none --wait=" + USUAL_WAIT,
                          stream.name(),
                          consumer.name()))));
        }
      };

  static final Check.OfConsumer ACK_NONE =
      (survey, stream, consumer, found) -> {
        if (!consumer.worked()
            && consumer.isDurable()
            && consumer.configuration().getAckPolicy() == AckPolicy.None) {
          Finding finding =
              Finding.of(
                  Rule.NO_ACKS,
                  stream.name(),
                  consumer.name(),
                  "ack policy is none",
                  List.of(
                      NatsCommand.consumer("rm", stream.name(), consumer.name()),
                      NatsCommand.consumer(withAcks(consumer), stream.name(), consumer.name())));
          found.accept(Removal.saysWhatItDeletes(stream, finding));
        }
      };

  /** Takes the same, from where it is by now: else all that was read would be read again. */
  private static String withAcks(Survey.SurveyedConsumer consumer) {
    List<String> words = new ArrayList<>(List.of("add --ack=explicit"));
    if (consumer.now().deliveredSequence() > 0) {
      words.add("--deliver=" + (consumer.now().deliveredSequence() + 1));
    }
    if (!consumer.filters().isEmpty()) {
      words.add(NatsCommand.filters(consumer.filters()));
    }
    Optional<String> target = Optional.ofNullable(consumer.configuration().getDeliverSubject());
    words.add(target.map(subject -> NatsCommand.flag("target", subject)).orElse("--pull"));
    Optional.ofNullable(consumer.configuration().getDeliverGroup())
        .filter(group -> target.isPresent())
        .ifPresent(group -> words.add(NatsCommand.flag("deliver-group", group)));
    words.add("--defaults");
    return String.join(" ", words);
  }

  static final Check ADVISORIES =
      (survey, found) -> {
        List<String> names =
            survey.streams().stream()
                .flatMap(
                    stream ->
                        stream.consumers().stream()
                            .filter(ForeignConsumers::givesUp)
                            .map(consumer -> stream.name() + "/" + consumer.name()))
                .toList();
        if (!names.isEmpty() && !isCaptured(survey)) {
          found.accept(
              Finding.of(
                  Rule.NO_ADVISORIES,
                  "stream "
                      + Store.ADVISORIES.stream(survey.plan().names())
                      + " is missing, while MaxDeliver is set on "
                      + Words.some(names),
                  "contrail init",
                  "contrail guard"));
        }
      };

  private static boolean givesUp(Survey.SurveyedConsumer consumer) {
    return !consumer.worked() && consumer.givesUp();
  }

  private static boolean isCaptured(Survey survey) {
    return survey.stores().containsKey(Store.ADVISORIES);
  }
}
