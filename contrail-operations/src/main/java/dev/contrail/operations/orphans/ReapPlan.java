package dev.contrail.operations.orphans;

import dev.contrail.plan.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What to take away, and what is to become of it.
 *
 * @param streams none for all
 * @param olderThan only messages published longer ago
 * @param classes such as can be reaped
 * @param to the subject to which {@link Fate#HAND_OVER} hands them
 * @param really whether it is done, and not only said
 */
public record ReapPlan(
    List<String> streams,
    Duration olderThan,
    Set<OrphanClass> classes,
    Fate fate,
    Optional<String> to,
    Optional<Rate> rate,
    boolean really) {

  /** What becomes of a message that is taken away. Each leaves a dead letter as evidence. */
  public enum Fate {
    /** It is an open dead letter. */
    DEAD_LETTER,
    /** A copy of it goes to another subject, as the replay of its dead letter. */
    HAND_OVER,
    /** Nothing more: its dead letter is discarded. */
    DELETE
  }

  public ReapPlan {
    if (classes.isEmpty() || !classes.stream().allMatch(OrphanClass::isReapable)) {
      throw new IllegalArgumentException("not to be reaped: " + classes);
    }
    if (to.isPresent() != (fate == Fate.HAND_OVER)) {
      throw new IllegalArgumentException("a subject belongs to a hand-over");
    }
  }
}
