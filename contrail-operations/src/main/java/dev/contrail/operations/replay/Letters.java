package dev.contrail.operations.replay;

import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.UnreadableEvidenceException;
import dev.contrail.plan.PlanEntry;
import java.util.Optional;

/** The dead letters of a plan, fetched in its order. Not thread-safe. */
interface Letters extends AutoCloseable {
  /**
   * The dead letter of the next entry, perhaps without its stack trace; empty where it is gone.
   *
   * @throws UnreadableEvidenceException when it is damaged, or of a newer release
   */
  Optional<DeadLetter> next(PlanEntry entry) throws InterruptedException;

  @Override
  default void close() {}
}
