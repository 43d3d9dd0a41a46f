package dev.contrail.operations.doctor;

import dev.contrail.Durations;
import dev.contrail.jetstream.NatsCommand;
import dev.contrail.jetstream.SubjectPattern;
import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.jetstream.doctor.Rule;
import dev.contrail.operations.doctor.Survey.SurveyedConsumer;
import dev.contrail.operations.doctor.Survey.SurveyedStream;
import io.nats.client.api.RetentionPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Who takes what from a stream. */
final class Claims {
  private Claims() {}

  static final Check.OfStream UNCLAIMED =
      (survey, stream, found) -> {
        if (stream.configuration().getRetentionPolicy() != RetentionPolicy.WorkQueue) {
          return;
        }
        List<Map.Entry<String, Long>> unclaimed =
            stream.subjects().entrySet().stream()
                .filter(entry -> !isClaimed(stream, entry.getKey()))
                .sorted(Map.Entry.comparingByKey())
                .toList();
        long messages = unclaimed.stream().mapToLong(Map.Entry::getValue).sum();
        List<String> gaps = stream.consumers().isEmpty() ? List.of() : gaps(stream);
        if (messages > 0) {
          found.accept(
              unclaimed(
                  stream,
                  Words.messages(messages)
                      + " on "
                      + Words.some(unclaimed.stream().map(Map.Entry::getKey).toList())
                      + (messages == 1 ? " is" : " are")
                      + " claimed by no consumer",
                  gaps.isEmpty() ? List.of(unclaimed.get(0).getKey()) : gaps));
        } else if (!gaps.isEmpty()) {
          found.accept(unclaimed(stream, "no consumer takes " + Words.some(gaps), gaps));
        }
      };

  static final Check.OfStream OVERLAPPING =
      (survey, stream, found) -> {
        if (stream.configuration().getRetentionPolicy() != RetentionPolicy.WorkQueue) {
          return;
        }
        List<SurveyedConsumer> consumers = stream.consumers();
        for (int i = 0; i < consumers.size(); i++) {
          for (SurveyedConsumer other : consumers.subList(i + 1, consumers.size())) {
            if (overlap(consumers.get(i), other)) {
              found.accept(
                  Finding.of(
                      Rule.OVERLAPPING,
                      stream.name(),
                      consumers.get(i).name()
                          + " ("
                          + taken(consumers.get(i))
                          + ") and "
                          + other.name()
                          + " ("
                          + taken(other)
                          + ") take the same messages",
                      List.of(
                          NatsCommand.consumer(
                              "edit --filter=SUBJECT", stream.name(), other.name()))));
            }
          }
        }
      };

  static final Check.OfStream NO_INTEREST =
      (survey, stream, found) -> {
        if (stream.configuration().getRetentionPolicy() == RetentionPolicy.Interest) {
          List<String> gaps = gaps(stream);
          if (!gaps.isEmpty()) {
            found.accept(
                Finding.of(
                    Rule.NO_INTEREST,
                    stream.name(),
                    "no consumer takes " + Words.some(gaps),
                    List.of(addConsumer(stream, gaps))));
          }
        }
      };

  static final Check.OfConsumer FORGOTTEN =
      (survey, stream, consumer, found) -> {
        Instant active = consumer.now().lastActive().orElse(consumer.created());
        Duration idle = Duration.between(active, consumer.now().at());
        long held = consumer.now().pending() + consumer.now().ackPending();
        if (stream.configuration().getRetentionPolicy() == RetentionPolicy.Interest
            && consumer.isDurable()
            && !consumer.before().attended()
            && !consumer.now().attended()
            && held > 0
            && idle.compareTo(survey.assumed().forgottenAfter()) >= 0) {
          found.accept(
              Finding.of(
                  Rule.FORGOTTEN_DURABLE,
                  stream.name(),
                  consumer.name(),
                  "nobody has asked for its messages for "
                      + Durations.format(Duration.ofSeconds(idle.toSeconds()))
                      + ", and it holds "
                      + Words.messages(held),
                  List.of(
                      NatsCommand.consumer("rm", stream.name(), consumer.name()),
                      "contrail orphans scan " + NatsCommand.word(stream.name()))));
        }
      };

  private static Finding unclaimed(SurveyedStream stream, String what, List<String> subjects) {
    return Finding.of(
        Rule.UNCLAIMED,
        stream.name(),
        what,
        List.of(
            addConsumer(stream, subjects),
            "contrail orphans scan " + NatsCommand.word(stream.name())));
  }

  private static String addConsumer(SurveyedStream stream, List<String> subjects) {
    return NatsCommand.consumer(
        "add --pull --ack=explicit " + NatsCommand.filters(subjects) + " --defaults",
        stream.name(),
        "NAME");
  }

  /** The subjects of a stream of which no consumer takes any. */
  private static List<String> gaps(SurveyedStream stream) {
    if (stream.configuration().getSubjectTransform() != null) {
      // Consumers filter what the stream made of the subject, which its subjects do not tell.
      return List.of();
    }
    List<String> subjects = stream.configuration().getSubjects();
    return subjects.stream()
        .filter(
            subject ->
                stream.consumers().stream()
                    .noneMatch(
                        consumer ->
                            consumer.filters().isEmpty()
                                || consumer.filters().stream()
                                    .anyMatch(filter -> overlap(filter, subject))))
        .toList();
  }

  private static boolean isClaimed(SurveyedStream stream, String subject) {
    return stream.consumers().stream()
        .anyMatch(
            consumer ->
                consumer.filters().isEmpty()
                    || SubjectPattern.anyMatches(consumer.filters(), subject));
  }

  private static boolean overlap(SurveyedConsumer one, SurveyedConsumer other) {
    return one.filters().isEmpty()
        || other.filters().isEmpty()
        || one.filters().stream()
            .anyMatch(mine -> other.filters().stream().anyMatch(theirs -> overlap(mine, theirs)));
  }

  private static boolean overlap(String one, String other) {
    return SubjectPattern.of(one).overlaps(SubjectPattern.of(other));
  }

  private static String taken(SurveyedConsumer consumer) {
    return consumer.filters().isEmpty() ? "all" : Words.some(consumer.filters());
  }
}
