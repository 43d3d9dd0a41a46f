package dev.contrail.operations.doctor;

import dev.contrail.Durations;
import dev.contrail.operations.doctor.Survey.StreamMoment;
import dev.contrail.operations.doctor.Survey.SurveyedStream;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How far a limit is from deleting a message.
 *
 * @param limit which, with its value
 * @param used how much of the way is gone, from 0 to 1
 * @param left how long it will take at the rate of before; empty where there is none
 */
record Forecast(String limit, double used, Optional<Duration> left) {
  private static final Duration FAR = Duration.ofDays(3_650);

  /** When a limit of the stream deletes a message; the limit that does it first. */
  static Optional<Forecast> deletion(SurveyedStream stream, Survey.Unread message) {
    StreamConfiguration limits = stream.configuration();
    List<Forecast> all = new ArrayList<>();
    age(limits, message, stream.now().at()).ifPresent(all::add);
    if (limits.getDiscardPolicy() == DiscardPolicy.Old) {
      StreamMoment state = stream.now();
      long behind = Math.min(state.messages(), state.lastSequence() - message.sequence() + 1);
      double size = state.messages() == 0 ? 0 : (double) state.bytes() / state.messages();
      double rate = publishRate(state);
      full("max msgs " + limits.getMaxMsgs(), limits.getMaxMsgs(), (double) behind, rate)
          .ifPresent(all::add);
      full(
              "max bytes " + Words.bytes(limits.getMaxBytes()),
              limits.getMaxBytes(),
              behind * size,
              rate * size)
          .ifPresent(all::add);
    }
    return all.stream().max(Comparator.comparingDouble(Forecast::used));
  }

  /** When a stream that discards new messages has no room any more. */
  static Optional<Forecast> full(SurveyedStream stream) {
    StreamConfiguration limits = stream.configuration();
    if (limits.getDiscardPolicy() != DiscardPolicy.New) {
      return Optional.empty();
    }
    StreamMoment before = stream.before();
    StreamMoment now = stream.now();
    double seconds = Duration.between(before.at(), now.at()).toNanos() / 1e9;
    double more = seconds <= 0 ? 0 : (now.messages() - before.messages()) / seconds;
    double moreBytes = seconds <= 0 ? 0 : (now.bytes() - before.bytes()) / seconds;
    List<Forecast> all = new ArrayList<>();
    full("max msgs " + limits.getMaxMsgs(), limits.getMaxMsgs(), (double) now.messages(), more)
        .ifPresent(all::add);
    full(
            "max bytes " + Words.bytes(limits.getMaxBytes()),
            limits.getMaxBytes(),
            (double) now.bytes(),
            moreBytes)
        .ifPresent(all::add);
    return all.stream().max(Comparator.comparingDouble(Forecast::used));
  }

  /**
   * Messages a second since the first that is there; those deleted since count too. Until now, and
   * not until the last one: many at once, and none since, are no rate.
   */
  static double publishRate(StreamMoment state) {
    if (state.firstTime().isEmpty() || state.lastTime().isEmpty()) {
      return 0;
    }
    Instant last = state.lastTime().get();
    Instant until = state.at().isAfter(last) ? state.at() : last;
    double seconds = Duration.between(state.firstTime().get(), until).toMillis() / 1e3;
    return seconds <= 0 ? 0 : (state.lastSequence() - state.firstSequence()) / seconds;
  }

  private static Optional<Forecast> age(
      StreamConfiguration limits, Survey.Unread message, Instant now) {
    Duration most = limits.getMaxAge();
    if (most == null || most.isZero()) {
      return Optional.empty();
    }
    Duration age = Duration.between(message.published(), now);
    Duration left = most.minus(age);
    return Optional.of(
        new Forecast(
            "max age " + Durations.format(most),
            (double) age.toMillis() / most.toMillis(),
            Optional.of(left.isNegative() ? Duration.ZERO : left)));
  }

  private static Optional<Forecast> full(String limit, long most, double has, double rate) {
    if (most <= 0) {
      return Optional.empty();
    }
    double seconds = rate <= 0 ? Double.MAX_VALUE : Math.max(0, most - has) / rate;
    return Optional.of(
        new Forecast(
            limit,
            has / most,
            seconds < FAR.toSeconds()
                ? Optional.of(Duration.ofSeconds(Math.round(seconds)))
                : Optional.empty()));
  }
}
