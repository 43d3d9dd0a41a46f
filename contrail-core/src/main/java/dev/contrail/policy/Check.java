package dev.contrail.policy;

import java.time.Duration;

/** Refusals that name the setting, the value and what is accepted. */
final class Check {
  private Check() {}

  static void atLeast(String setting, Duration value, Duration least) {
    if (value.compareTo(least) < 0) {
      throw new IllegalArgumentException(
          setting + " is " + value + ", but must be at least " + least);
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
          setting + " is " + value + ", but must not exceed " + limitName + ", which is " + limit);
    }
  }
}
