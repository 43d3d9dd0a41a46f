package dev.contrail.policy;

import dev.contrail.Durations;
import java.time.Duration;

/** Refusals that name the setting, the value and what is accepted. */
final class Check {
  /** Where a setting has no bound of its own: what still can be counted in nanoseconds. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private Check() {}

  static void between(String setting, Duration value, Duration least) {
    between(setting, value, least, LONGEST);
  }

  static void between(String setting, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0) {
      throw new IllegalArgumentException(
          setting + " is " + text(value) + ", but must be at least " + text(least));
    }
    if (value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          setting + " is " + text(value) + ", but must be at most " + text(most));
    }
  }

  static void atLeast(String setting, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(
          setting + " is " + value + ", but must be at least " + least);
    }
  }

  static void atMost(String setting, long value, long most) {
    if (value > most) {
      throw new IllegalArgumentException(
          setting + " is " + value + ", but must be at most " + most);
    }
  }

  static void notAbove(String setting, Duration value, String limitName, Duration limit) {
    if (value.compareTo(limit) > 0) {
      throw new IllegalArgumentException(
          setting
              + " is "
              + text(value)
              + ", but must not exceed "
              + limitName
              + ", which is "
              + text(limit));
    }
  }

  private static String text(Duration duration) {
    return Durations.format(duration);
  }
}
