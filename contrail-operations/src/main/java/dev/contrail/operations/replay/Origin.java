package dev.contrail.operations.replay;

import dev.contrail.evidence.DeadLetterId;

/**
 * Where a dead letter stands in a chain of replays.
 *
 * @param root the first dead letter of the chain
 * @param replays how many there were along it
 */
public record Origin(DeadLetterId root, int replays) {
  /** Of one that no replay led to. */
  public static Origin first(DeadLetterId id) {
    return new Origin(id, 0);
  }
}
