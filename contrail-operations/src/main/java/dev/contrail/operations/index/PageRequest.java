package dev.contrail.operations.index;

import java.util.Optional;

/**
 * Which part of a list is wanted.
 *
 * @param limit the most entries
 * @param after where the page before ended, as {@link Page#next} told
 */
public record PageRequest(SortOrder order, int limit, Optional<String> after) {
  /**
   * A page.
   *
   * @throws IllegalArgumentException with one sentence for whoever typed it, when {@code after} is
   *     no place in a list of that order
   */
  public PageRequest {
    if (limit < 1) {
      throw new IllegalArgumentException("A page has at least 1 entry, not " + limit + ".");
    }
    if (after.isPresent() && Cursor.parse(after.get()).order() != order) {
      throw new IllegalArgumentException(
          "'" + after.get() + "' is a place in a list of another order than " + order.text() + ".");
    }
  }

  /** The newest, from the beginning. */
  public static PageRequest newest(int limit) {
    return new PageRequest(SortOrder.NEWEST, limit, Optional.empty());
  }

  Optional<Cursor> cursor() {
    return after.map(Cursor::parse);
  }
}
