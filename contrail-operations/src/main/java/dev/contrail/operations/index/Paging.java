package dev.contrail.operations.index;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Picks the entries of one page from all that match. Those that are listed first should come first:
 * then nearly all others are known by one comparison not to be on it.
 */
final class Paging {
  private final SortOrder order;
  private final int limit;
  private final Optional<Cursor> after;
  private final long bound;
  private final Comparator<CompactEntry> inOrder;
  private final PriorityQueue<CompactEntry> best;
  private long matching;
  private long behind;

  /**
   * One page.
   *
   * @param newest the position of the newest entry, beyond which a list begun now does not go
   */
  Paging(PageRequest request, long newest) {
    this.order = request.order();
    this.limit = request.limit();
    this.after = request.cursor();
    this.bound = after.map(Cursor::bound).orElse(newest);
    this.inOrder =
        Comparator.comparingLong(order::key)
            .thenComparingLong(entry -> order.tie(entry.position()));
    this.best = new PriorityQueue<>(inOrder.reversed());
  }

  void add(CompactEntry entry) {
    if (entry.position() > bound) {
      return;
    }
    matching++;
    if (after.isPresent() && !after.get().isBefore(entry)) {
      return;
    }
    behind++;
    if (best.size() < limit) {
      best.add(entry);
    } else if (inOrder.compare(entry, best.element()) < 0) {
      best.remove();
      best.add(entry);
    }
  }

  /** Those of the page, in its order. */
  List<CompactEntry> entries() {
    List<CompactEntry> page = new ArrayList<>(best);
    page.sort(inOrder);
    return page;
  }

  /** How many match, on whatever page they are. */
  long matching() {
    return matching;
  }

  /** Where the next page begins; empty where this is the last. */
  Optional<String> next() {
    if (behind <= best.size()) {
      return Optional.empty();
    }
    CompactEntry last = best.element();
    return Optional.of(new Cursor(order, bound, order.key(last), last.position()).toString());
  }
}
