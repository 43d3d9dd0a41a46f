package dev.contrail.cli.work;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads {@code Retry-After}: seconds, or a date in any of the three forms that HTTP knows. */
final class RetryAfterHeader {
  private static final int MOST_DIGITS = 9;
  private static final Duration LONGEST = Duration.ofSeconds(999_999_999);

  private static final List<DateTimeFormatter> DATES =
      List.of(
          DateTimeFormatter.RFC_1123_DATE_TIME,
          new DateTimeFormatterBuilder()
              .parseCaseInsensitive()
              .appendPattern("EEEE, dd-MMM-")
              .appendValueReduced(ChronoField.YEAR, 2, 2, 2000)
              .appendPattern(" HH:mm:ss 'GMT'")
              .toFormatter(Locale.ENGLISH)
              .withZone(ZoneOffset.UTC),
          DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.ENGLISH)
              .withZone(ZoneOffset.UTC));

  private RetryAfterHeader() {}

  /** The delay from now, zero for a date that has passed; nothing if it cannot be read. */
  static Optional<Duration> parse(String value, Instant now) {
    String text = value.strip();
    if (text.matches("[0-9]+")) {
      return Optional.of(
          text.length() > MOST_DIGITS ? LONGEST : Duration.ofSeconds(Long.parseLong(text)));
    }
    return date(text)
        .map(date -> Duration.between(now, date))
        .map(delay -> delay.isNegative() ? Duration.ZERO : delay);
  }

  private static Optional<Instant> date(String text) {
    return DATES.stream().flatMap(form -> date(text, form).stream()).findFirst();
  }

  private static Optional<Instant> date(String text, DateTimeFormatter form) {
    try {
      return Optional.of(form.parse(text, Instant::from));
    } catch (DateTimeException anotherForm) {
      return Optional.empty();
    }
  }
}
