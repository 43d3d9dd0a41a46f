package dev.contrail.operations.replay;

import dev.contrail.plan.PlanProgress;
import dev.contrail.plan.PlanState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Writes down what a run has done, many in one record, one record after the other: as soon as one
 * is stored, the next holds all that was done meanwhile. A record is kept until it is known to be
 * stored; when that cannot be had, the run is stopped. Thread-safe.
 */
final class ProgressLog {
  private static final int FEWEST = 64;
  private static final int MOST = 5_000;
  private static final int MOST_TRIES = 10;

  /** How long to wait before a record is tried again. */
  static final Executor IN_A_WHILE = CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS);

  private final ReplayPort port;
  private final Supplier<CompletableFuture<List<PlanProgress>>> stored;
  private final String plan;
  private final String by;
  private final StopSign stop;
  private final Executor later;
  private List<PlanProgress> waiting = new ArrayList<>();
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
  private int pieces;

  /**
   * Goes on after the pieces that there are.
   *
   * @param stored reads all that is stored of the plan
   * @param pieces how many there are
   * @param stop is set when a record cannot be stored
   * @param later runs what is to be tried again
   */
  ProgressLog(
      ReplayPort port,
      Supplier<CompletableFuture<List<PlanProgress>>> stored,
      String plan,
      String by,
      int pieces,
      StopSign stop,
      Executor later) {
    this.port = port;
    this.stored = stored;
    this.plan = plan;
    this.by = by;
    this.pieces = pieces;
    this.stop = stop;
    this.later = later;
  }

  synchronized void add(PlanProgress done) {
    waiting.add(done);
    if (waiting.size() >= FEWEST && last.isDone()) {
      write();
    }
  }

  /** All that was added is stored when this is done. */
  CompletableFuture<Void> flush() {
    CompletableFuture<Void> before;
    synchronized (this) {
      before = last;
    }
    // What could not be stored before waits again, and is tried once more.
    return before.handle((done, failure) -> failure == null).thenCompose(any -> rest());
  }

  private CompletableFuture<Void> rest() {
    CompletableFuture<Void> written;
    synchronized (this) {
      if (waiting.isEmpty() && last.isDone()) {
        return CompletableFuture.completedFuture(null);
      }
      if (last.isDone()) {
        write();
      }
      written = last;
    }
    return written.thenCompose(done -> rest());
  }

  private synchronized void write() {
    List<PlanProgress> batch = List.copyOf(waiting.subList(0, Math.min(MOST, waiting.size())));
    waiting = new ArrayList<>(waiting.subList(batch.size(), waiting.size()));
    last =
        append(batch)
            .whenComplete(
                (done, failure) -> {
                  if (failure != null) {
                    putBack(batch, failure);
                  }
                });
  }

  private void putBack(List<PlanProgress> batch, Throwable failure) {
    synchronized (this) {
      List<PlanProgress> all = new ArrayList<>(batch);
      all.addAll(waiting);
      waiting = all;
    }
    stop.stop(
        PlanState.Kind.STOPPED,
        "what was done cannot be written down: " + Futures.cause(failure).getMessage());
  }

  /** Under the number after the last one that is known to be taken: numbers have no gaps. */
  private CompletableFuture<Void> append(List<PlanProgress> batch) {
    return persistently(batch, 1)
        .thenCompose(
            rest -> rest.isEmpty() ? CompletableFuture.completedFuture(null) : append(rest));
  }

  private CompletableFuture<List<PlanProgress>> persistently(
      List<PlanProgress> batch, int attempt) {
    return tried(batch)
        .exceptionallyCompose(
            failure ->
                attempt >= MOST_TRIES
                    ? CompletableFuture.failedFuture(Futures.cause(failure))
                    : CompletableFuture.runAsync(() -> {}, later)
                        .thenCompose(waited -> persistently(batch, attempt + 1)));
  }

  /** Returns what is left to be stored under the next number. */
  private CompletableFuture<List<PlanProgress>> tried(List<PlanProgress> batch) {
    int number;
    synchronized (this) {
      number = pieces + 1;
    }
    return port.progress(plan, number, batch, by)
        .thenCompose(
            mine ->
                mine
                    ? CompletableFuture.completedFuture(List.<PlanProgress>of())
                    : notStoredOf(batch))
        .thenApply(
            rest -> {
              synchronized (this) {
                pieces = number;
              }
              return rest;
            });
  }

  /**
   * The number is taken: by this very record, whose confirmation was lost, or by somebody who
   * believes to run the plan as well.
   */
  private CompletableFuture<List<PlanProgress>> notStoredOf(List<PlanProgress> batch) {
    return stored
        .get()
        .thenApply(
            all -> {
              Set<PlanProgress> known = new HashSet<>(all);
              return batch.stream().filter(done -> !known.contains(done)).toList();
            });
  }
}
