package dev.contrail.operations.index;

import dev.contrail.event.Fact;
import dev.contrail.event.ReplayOutcome;

/**
 * What became of replays since the index was up to date, each outcome once.
 *
 * @param resolved copies that were processed, also where that is concluded
 * @param returned copies that died again
 * @param failed copies that were not published or lost: what they are of is open again
 */
public record ReplayTotals(long resolved, long returned, long failed) {
  /** Nothing yet. */
  public static final ReplayTotals NONE = new ReplayTotals(0, 0, 0);

  ReplayTotals plus(Fact fact) {
    if (fact instanceof ReplayOutcome.Resolved) {
      return new ReplayTotals(resolved + 1, returned, failed);
    }
    if (fact instanceof ReplayOutcome.Returned) {
      return new ReplayTotals(resolved, returned + 1, failed);
    }
    return fact instanceof ReplayOutcome.Failed
        ? new ReplayTotals(resolved, returned, failed + 1)
        : this;
  }
}
