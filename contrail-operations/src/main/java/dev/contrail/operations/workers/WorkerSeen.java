package dev.contrail.operations.workers;

import dev.contrail.jetstream.report.PauseOrder;
import dev.contrail.jetstream.report.WorkerReport;
import java.util.Optional;

/**
 * A worker, as it told of itself last.
 *
 * @param pause that it is told to obey; of a worker that is paused without one, its application
 *     wants it so
 */
public record WorkerSeen(WorkerReport report, Optional<PauseOrder> pause) {
  /** Whether something keeps it from working as it should. */
  public boolean isHeldUp() {
    return isPaused() || report.breaker().isPresent() || !report.holds().isEmpty();
  }

  /** Whether it says that it is paused. */
  public boolean isPaused() {
    return report.paused();
  }

  /** Whether it is told to pause, and does not say yet that it does. */
  public boolean isAboutToPause() {
    return pause.isPresent() && !report.paused();
  }

  public long retrying() {
    return report.retrying().stream().mapToLong(WorkerReport.Retrying::messages).sum()
        + report.retryingMore();
  }
}
