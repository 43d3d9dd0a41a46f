package dev.contrail.cli.drill.report;

import dev.contrail.Durations;
import java.time.Duration;
import java.util.Locale;

/** Figures for people. */
public final class Words {
  private static final long SECOND = 1_000;
  private static final long MINUTE = 60 * SECOND;

  private Words() {}

  /** Such as {@code 12 ms}, {@code 4.3 s}, {@code 1h}. */
  public static String time(long millis) {
    if (millis < SECOND) {
      return millis + " ms";
    }
    return millis < MINUTE
        ? String.format(Locale.ROOT, "%.1f s", millis / 1_000.0)
        : Durations.format(Duration.ofSeconds(millis / SECOND));
  }

  /** Such as {@code 1 kill}, {@code 3 kills}. */
  public static String kills(int count) {
    return count + (count == 1 ? " kill" : " kills");
  }

  static String spread(Spread spread) {
    return spread.count() == 0
        ? "none"
        : "median "
            + time(spread.median())
            + ", p99 "
            + time(spread.p99())
            + ", most "
            + time(spread.most());
  }
}
