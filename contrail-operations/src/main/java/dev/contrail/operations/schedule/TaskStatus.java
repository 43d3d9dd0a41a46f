package dev.contrail.operations.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How a repeated task stands. Immutable.
 *
 * @param every how long it rests after it went well
 * @param runs how often it was done, well or not
 * @param failures how often it failed
 * @param failuresInRow how often it failed since it went well
 * @param lastSuccess when it went well last
 * @param failure why the last one failed, in a sentence; empty when it went well
 */
public record TaskStatus(
    String name,
    Duration every,
    long runs,
    long failures,
    int failuresInRow,
    Optional<Instant> lastSuccess,
    Optional<String> failure) {
  private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(30);
  private static final int MOST_DOUBLINGS = 10;

  static TaskStatus of(String name, Duration every) {
    return new TaskStatus(name, every, 0, 0, 0, Optional.empty(), Optional.empty());
  }

  TaskStatus succeeded(Instant now) {
    return new TaskStatus(name, every, runs + 1, failures, 0, Optional.of(now), Optional.empty());
  }

  TaskStatus failed(String why) {
    return new TaskStatus(
        name, every, runs + 1, failures + 1, failuresInRow + 1, lastSuccess, Optional.of(why));
  }

  public boolean isFailing() {
    return failure.isPresent();
  }

  /** How long to rest now: after a failure it is tried again soon, then less and less often. */
  Duration rest() {
    if (failuresInRow == 0) {
      return every;
    }
    Duration retry = FIRST_RETRY.multipliedBy(1L << Math.min(failuresInRow - 1, MOST_DOUBLINGS));
    return shorter(every, shorter(retry, LONGEST_RETRY));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
