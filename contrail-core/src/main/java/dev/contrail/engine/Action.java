package dev.contrail.engine;

import dev.contrail.evidence.Reason;
import java.time.Duration;

/** What is to be done with a message whose run has ended. */
public sealed interface Action {
  /** Acknowledge it. */
  record Complete() implements Action {}

  /**
   * Have it delivered again.
   *
   * @param shortened whether a longer delay was asked for than is allowed
   */
  record Retry(Duration delay, boolean shortened) implements Action {}

  /** Store its evidence, then terminate it. */
  record Bury(Reason reason) implements Action {}
}
