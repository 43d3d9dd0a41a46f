package dev.contrail.plan;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** So many in a second, a minute or an hour. */
public record Rate(int count, Unit unit) {
  /** The time in which so many are allowed. */
  public enum Unit {
    SECOND("s", Duration.ofSeconds(1)),
    MINUTE("m", Duration.ofMinutes(1)),
    HOUR("h", Duration.ofHours(1));

    private final String text;
    private final Duration time;

    Unit(String text, Duration time) {
      this.text = text;
      this.time = time;
    }
  }

  private static final Pattern TEXT = Pattern.compile("([1-9][0-9]{0,6})(?:/([smh]))?");

  public Rate {
    if (count < 1) {
      throw new IllegalArgumentException("A rate is at least 1, not " + count + ".");
    }
  }

  /** {@code 100/s}, {@code 30/m}, {@code 5/h}; without a unit in a second. */
  public static Optional<Rate> parse(String text) {
    Matcher rate = TEXT.matcher(text);
    if (!rate.matches()) {
      return Optional.empty();
    }
    Unit unit = Unit.SECOND;
    for (Unit one : Unit.values()) {
      if (one.text.equals(rate.group(2))) {
        unit = one;
      }
    }
    return Optional.of(new Rate(Integer.parseInt(rate.group(1)), unit));
  }

  /** The time from one to the next. */
  public Duration interval() {
    return unit.time.dividedBy(count);
  }

  @Override
  public String toString() {
    return count + "/" + unit.text;
  }
}
