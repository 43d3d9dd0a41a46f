package dev.contrail.operations.index;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a page ends, so that the next one begins there whatever arrived since.
 *
 * @param bound the newest position that there was when the first page was made: what was stored
 *     after it belongs to no page
 * @param key of the last entry of the page
 * @param position of the last entry of the page
 */
record Cursor(SortOrder order, long bound, long key, long position) {
  private static final Pattern TEXT =
      Pattern.compile("([a-z]+)_(\\d{1,18})_(-?\\d{1,18})_(\\d{1,18})");

  /**
   * The cursor that {@link #toString} writes so.
   *
   * @throws IllegalArgumentException with one sentence for whoever typed it, when it is none
   */
  static Cursor parse(String text) {
    Matcher parts = TEXT.matcher(text);
    Optional<SortOrder> order =
        parts.matches() ? SortOrder.parse(parts.group(1)) : Optional.empty();
    return order
        .map(
            known ->
                new Cursor(
                    known,
                    Long.parseLong(parts.group(2)),
                    Long.parseLong(parts.group(3)),
                    Long.parseLong(parts.group(4))))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'" + text + "' is no place in a list; take one that a list gave."));
  }

  /** Whether an entry comes after it, and was there when the first page was made. */
  boolean isBefore(CompactEntry entry) {
    if (entry.position() > bound) {
      return false;
    }
    int byKey = Long.compare(key, order.key(entry));
    return byKey < 0 || (byKey == 0 && order.tie(position) < order.tie(entry.position()));
  }

  @Override
  public String toString() {
    return order.text() + "_" + bound + "_" + key + "_" + position;
  }
}
