package dev.contrail;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them in settings: {@code 500ms}, {@code 30s}, {@code 1h30m}. */
public final class Durations {
  // NATS counts durations in nanoseconds in 64 bits.
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);
  private static final Pattern UNITS =
      Pattern.compile("(?:(\\d+)d)?(?:(\\d+)h)?(?:(\\d+)m)?(?:(\\d+)s)?(?:(\\d+)ms)?");
  private static final long[] UNIT_MILLIS = {86_400_000, 3_600_000, 60_000, 1_000, 1};

  private Durations() {}

  /**
   * The duration that {@code value} stands for: numbers with the units {@code d}, {@code h}, {@code
   * m}, {@code s} and {@code ms}, largest first, or ISO-8601 ({@code PT30S}).
   *
   * @param setting what the value was given for, as its user knows it
   * @throws IllegalArgumentException with one sentence for that user, when the value is anything
   *     else, negative, or longer than about 292 years
   */
  public static Duration parse(String setting, String value) {
    Duration duration = read(setting, value);
    if (duration.isNegative()) {
      throw refused(setting, value, "is negative");
    }
    if (duration.compareTo(LONGEST) > 0) {
      throw refused(setting, value, "is too long");
    }
    return duration;
  }

  /**
   * The duration in the units that {@link #parse} reads, such as {@code 1h30m}. What is below a
   * millisecond is left out, except that a duration of less than one reads {@code <1ms}.
   */
  public static String format(Duration duration) {
    if (duration.isNegative()) {
      return "-" + format(duration.negated());
    }
    if (duration.isZero()) {
      return "0s";
    }
    StringBuilder text = new StringBuilder();
    append(text, duration.toDays(), "d");
    append(text, duration.toHoursPart(), "h");
    append(text, duration.toMinutesPart(), "m");
    append(text, duration.toSecondsPart(), "s");
    append(text, duration.toMillisPart(), "ms");
    return text.isEmpty() ? "<1ms" : text.toString();
  }

  private static Duration read(String setting, String value) {
    String text = value.strip();
    try {
      Matcher units = UNITS.matcher(text);
      return units.matches() && !text.isEmpty() ? sum(units) : Duration.parse(text);
    } catch (DateTimeParseException unreadable) {
      throw refused(setting, value, "is no duration");
    } catch (ArithmeticException | NumberFormatException overflow) {
      throw refused(setting, value, "is too long");
    }
  }

  private static Duration sum(Matcher units) {
    long millis = 0;
    for (int unit = 0; unit < UNIT_MILLIS.length; unit++) {
      String count = units.group(unit + 1);
      if (count != null) {
        long part = Math.multiplyExact(Long.parseLong(count), UNIT_MILLIS[unit]);
        millis = Math.addExact(millis, part);
      }
    }
    return Duration.ofMillis(millis);
  }

  private static void append(StringBuilder text, long count, String unit) {
    if (count > 0) {
      text.append(count).append(unit);
    }
  }

  private static IllegalArgumentException refused(String setting, String value, String problem) {
    return new IllegalArgumentException(
        setting
            + ": '"
            + value
            + "' "
            + problem
            + "; accepted are durations such as 500ms, 30s, 10m, 1h30m, 2d, or ISO-8601 (PT30S).");
  }
}
