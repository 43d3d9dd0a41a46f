package dev.contrail.operations.watch;

import java.util.List;

/** What is different between two scans: streams that have orphans of a class, or no longer do. */
public record OrphanChanges(List<OrphanTotal> appeared, List<OrphanTotal> gone) {
  /** From the one to the other. */
  public static OrphanChanges between(List<OrphanTotal> before, List<OrphanTotal> after) {
    return new OrphanChanges(
        OrphanTotal.without(after, before), OrphanTotal.without(before, after));
  }
}
