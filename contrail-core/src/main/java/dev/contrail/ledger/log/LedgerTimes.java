package dev.contrail.ledger.log;

import java.time.Duration;

/**
 * How long the workers of a ledger wait for each other; all of them have to keep to the same.
 *
 * @param longestBarrier a barrier that took longer to come back tells nothing: whoever is that far
 *     behind may find records purged and not have met the snapshot that covers them
 * @param purgeDelay how long after a snapshot was read the records that it covers are purged; more
 *     than {@code longestBarrier} by far, for clocks do not all run alike
 * @param cold a block that got nothing for this long is left with one record instead of many
 * @param retireEvery how often it is looked for what nobody can ask for any more
 */
public record LedgerTimes(
    Duration longestBarrier, Duration purgeDelay, Duration cold, Duration retireEvery) {
  /** What is used unless a test wants to see in seconds what takes minutes. */
  public static final LedgerTimes DEFAULT =
      new LedgerTimes(
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(10),
          Duration.ofHours(1));

  public LedgerTimes {
    if (purgeDelay.compareTo(longestBarrier.multipliedBy(2)) < 0) {
      throw new IllegalArgumentException(
          "records are purged "
              + purgeDelay
              + " after their snapshot; that must be twice the longest barrier of "
              + longestBarrier
              + " or more");
    }
  }
}
