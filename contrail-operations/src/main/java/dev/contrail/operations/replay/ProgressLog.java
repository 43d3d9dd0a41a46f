package dev.contrail.operations.replay;

import dev.contrail.plan.PlanProgress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Writes down what a run has done, many in one record, one record after the other: as soon as one
 * is stored, the next holds all that was done meanwhile. Thread-safe.
 */
final class ProgressLog {
  private static final int FEWEST = 64;
  private static final int MOST = 5_000;

  private final ReplayPort port;
  private final String plan;
  private final String by;
  private List<PlanProgress> waiting = new ArrayList<>();
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
  private int pieces;

  /**
   * Goes on after the pieces that there are.
   *
   * @param pieces how many
   */
  ProgressLog(ReplayPort port, String plan, String by, int pieces) {
    this.port = port;
    this.plan = plan;
    this.by = by;
    this.pieces = pieces;
  }

  synchronized void add(PlanProgress done) {
    waiting.add(done);
    if (waiting.size() >= FEWEST && last.isDone()) {
      write();
    }
  }

  /** All that was added is stored when this is done. */
  synchronized CompletableFuture<Void> flush() {
    return last.thenCompose(before -> rest());
  }

  private synchronized CompletableFuture<Void> rest() {
    if (waiting.isEmpty()) {
      return last;
    }
    write();
    return flush();
  }

  private void write() {
    List<PlanProgress> batch = waiting.subList(0, Math.min(MOST, waiting.size()));
    waiting = new ArrayList<>(waiting.subList(batch.size(), waiting.size()));
    List<PlanProgress> fixed = List.copyOf(batch);
    last = last.thenCompose(before -> append(fixed));
  }

  private CompletableFuture<Void> append(List<PlanProgress> batch) {
    int number;
    synchronized (this) {
      number = ++pieces;
    }
    return port.progress(plan, number, batch, by)
        // Somebody who believes to run the plan as well has taken the number.
        .thenCompose(stored -> stored ? CompletableFuture.completedFuture(null) : append(batch));
  }
}
