package dev.contrail.operations.doctor;

import dev.contrail.jetstream.doctor.Finding;
import java.util.function.Consumer;

/** Looks for one kind of trouble. Pure: the same survey has the same findings. */
@FunctionalInterface
interface Check {
  void look(Survey survey, Consumer<Finding> found);

  /** Looks at one stream after the other. */
  @FunctionalInterface
  interface OfStream {
    void look(Survey survey, Survey.SurveyedStream stream, Consumer<Finding> found);

    default Check everywhere() {
      return (survey, found) -> survey.streams().forEach(stream -> look(survey, stream, found));
    }
  }

  /** Looks at one consumer after the other. */
  @FunctionalInterface
  interface OfConsumer {
    void look(
        Survey survey,
        Survey.SurveyedStream stream,
        Survey.SurveyedConsumer consumer,
        Consumer<Finding> found);

    default Check everywhere() {
      OfStream ofStream =
          (survey, stream, found) ->
              stream.consumers().forEach(consumer -> look(survey, stream, consumer, found));
      return ofStream.everywhere();
    }
  }
}
