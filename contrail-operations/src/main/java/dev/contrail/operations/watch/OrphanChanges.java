package dev.contrail.operations.watch;

import dev.contrail.operations.orphans.OrphanScan;
import java.util.List;

/**
 * What is different between two scans: streams that have orphans of a class, or no longer do.
 *
 * @param notJudged streams that could not be looked at for the first time now; their orphans are
 *     those of before
 */
public record OrphanChanges(
    List<OrphanTotal> appeared, List<OrphanTotal> gone, List<OrphanScan.NotJudged> notJudged) {
  /** From the one to the other. */
  static OrphanChanges between(
      List<OrphanTotal> before, List<OrphanTotal> after, List<OrphanScan.NotJudged> notJudged) {
    return new OrphanChanges(
        OrphanTotal.without(after, before), OrphanTotal.without(before, after), notJudged);
  }
}
