package dev.contrail.console.access;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * So much for each who asks: an amount that is used up and grows again with time. How many are
 * remembered is bounded. Thread-safe; time is an argument.
 */
public final class Allowance {
  private static final int MOST_REMEMBERED = 10_000;
  private static final double MILLIS = 1_000;

  private record Left(double amount, Instant at) {}

  private final double most;
  private final double perSecond;
  private final Map<String, Left> left =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Left> eldest) {
          return size() > MOST_REMEMBERED;
        }
      };

  /**
   * For each who asks.
   *
   * @param most at once
   * @param perSecond how much of it comes back
   */
  public Allowance(double most, double perSecond) {
    this.most = most;
    this.perSecond = perSecond;
  }

  /** Uses one up, if there is one. */
  public synchronized boolean take(String who, Instant now) {
    double amount = amount(who, now);
    if (amount < 1) {
      return false;
    }
    left.put(who, new Left(amount - 1, now));
    return true;
  }

  /** Whether there is one, without using it up. */
  public synchronized boolean has(String who, Instant now) {
    return amount(who, now) >= 1;
  }

  private double amount(String who, Instant now) {
    Left before = left.get(who);
    if (before == null) {
      return most;
    }
    double seconds = Math.max(0, Duration.between(before.at(), now).toMillis() / MILLIS);
    return Math.min(most, before.amount() + seconds * perSecond);
  }
}
