package dev.contrail.evidence;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;

/**
 * Times as they are stored, which is as {@link Instant#toString} writes them. Read by hand, since
 * every dead letter holds several, and a formatter takes longer than all else in it.
 */
public final class StoredTime {
  private static final String LIKE = "0000-00-00T00:00:00";
  private static final int SECONDS_A_DAY = 86_400;
  private static final int MOST_DECIMALS = 9;

  private StoredTime() {}

  /**
   * What {@link Instant#parse} makes of it.
   *
   * @throws DateTimeException when it is no time
   */
  public static Instant parse(String text) {
    int end = text.length() - 1;
    boolean usual =
        isLike(text)
            && text.charAt(end) == 'Z'
            && number(text, 11, 13) < 24
            && number(text, 14, 16) < 60
            && number(text, 17, 19) < 60
            && isFraction(text, LIKE.length(), end);
    if (!usual) {
      return Instant.parse(text);
    }
    long day =
        LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10)).toEpochDay();
    int second = (number(text, 11, 13) * 60 + number(text, 14, 16)) * 60 + number(text, 17, 19);
    return Instant.ofEpochSecond(day * SECONDS_A_DAY + second, nanos(text, LIKE.length(), end));
  }

  private static boolean isLike(String text) {
    if (text.length() <= LIKE.length()) {
      return false;
    }
    for (int at = 0; at < LIKE.length(); at++) {
      char like = LIKE.charAt(at);
      if (like == '0' ? !isDigit(text.charAt(at)) : text.charAt(at) != like) {
        return false;
      }
    }
    return true;
  }

  /** Nothing at all, or a point and some digits. */
  private static boolean isFraction(String text, int start, int end) {
    if (start == end) {
      return true;
    }
    int digits = end - start - 1;
    if (text.charAt(start) != '.' || digits < 1 || digits > MOST_DECIMALS) {
      return false;
    }
    for (int at = start + 1; at < end; at++) {
      if (!isDigit(text.charAt(at))) {
        return false;
      }
    }
    return true;
  }

  private static int nanos(String text, int start, int end) {
    if (start == end) {
      return 0;
    }
    int nanos = number(text, start + 1, end);
    for (int digits = end - start - 1; digits < MOST_DECIMALS; digits++) {
      nanos *= 10;
    }
    return nanos;
  }

  private static int number(String text, int start, int end) {
    int number = 0;
    for (int at = start; at < end; at++) {
      number = number * 10 + text.charAt(at) - '0';
    }
    return number;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
