package dev.contrail.operations.replay;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.operations.DeadLetters;
import dev.contrail.plan.PlanEntry;
import dev.contrail.plan.PlanProgress;
import dev.contrail.plan.PlanState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Follows what becomes of the entries of a plan, and ends its run when one comes back. */
final class Following implements AutoCloseable {
  private static final long LOOK_EVERY_NANOS = 1_000_000_000;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Outcomes outcomes;
  private final OutcomeWatch watch;
  private final ForeignOutcomes foreign;
  private final LostCopies lost;
  private final DeadLetters deadLetters;
  private final StopSign stop;
  private final Map<DeadLetterId, String> fingerprints = new ConcurrentHashMap<>();
  private final ExecutorService comparing =
      Executors.newSingleThreadExecutor(
          body -> {
            Thread thread = new Thread(body, "contrail-outcomes");
            thread.setDaemon(true);
            return thread;
          });
  private long lookedNanos = System.nanoTime() - LOOK_EVERY_NANOS;
  private Optional<Moment> failing = Optional.empty();
  private volatile boolean closed;

  Following(
      Outcomes outcomes,
      OutcomeWatch watch,
      ForeignOutcomes foreign,
      LostCopies lost,
      DeadLetters deadLetters,
      StopSign stop) {
    this.outcomes = outcomes;
    this.watch = watch;
    this.foreign = foreign;
    this.lost = lost;
    this.deadLetters = deadLetters;
    this.stop = stop;
  }

  /** From now on the run ends when an entry dies again of the same. */
  void stopOnReturn() {
    outcomes.onReturn((entry, as) -> comparing.execute(() -> compare(entry, as)));
  }

  private void compare(PlanEntry entry, DeadLetterId as) {
    try {
      Optional<String> after = deadLetters.find(as).map(it -> it.death().failure().fingerprint());
      if (after.isPresent() && after.get().equals(before(entry.id()).orElse(""))) {
        stop.stop(
            PlanState.Kind.STOPPED,
            entry.id() + " came back as " + as + " with the same failure, " + after.get());
      }
    } catch (RuntimeException e) {
      // Interrupted where the run is over.
      if (!closed) {
        stop.stop(
            PlanState.Kind.STOPPED,
            entry.id() + " came back as " + as + ", which cannot be read: " + e.getMessage());
      }
    }
  }

  private Optional<String> before(DeadLetterId id) {
    return Optional.ofNullable(fingerprints.get(id))
        .or(() -> deadLetters.find(id).map(it -> it.death().failure().fingerprint()));
  }

  /** The dead letter of an entry is at hand. */
  void begin(PlanEntry entry, String fingerprint) {
    fingerprints.put(entry.id(), fingerprint.intern());
  }

  void settled(PlanProgress done) {
    outcomes.settled(done);
  }

  boolean areKnown(int first) {
    return outcomes.areKnown(first);
  }

  /** Why not to go on after the first so many, if so, as far as nobody has seen it before. */
  Optional<String> failureAmong(int first, Instant since) {
    return among(outcomes.returned(first, since), "of the canary came back")
        .or(() -> among(outcomes.failed(first, since), "of the canary could not be replayed"));
  }

  private static Optional<String> among(List<PlanEntry> entries, String what) {
    return entries.isEmpty()
        ? Optional.empty()
        : Optional.of(
            (entries.size() == 1 ? entries.get(0).id().toString() : "" + entries.size())
                + " "
                + what);
  }

  /**
   * Looks at what nobody tells, now and then. A server that is away is waited for, for a while.
   *
   * @throws ContrailException when it does not come back, or does not answer what it is asked
   */
  void look() {
    if (System.nanoTime() - lookedNanos < LOOK_EVERY_NANOS) {
      return;
    }
    lookedNanos = System.nanoTime();
    try {
      foreign.look();
      lost.look();
      failing = Optional.empty();
    } catch (ContrailException e) {
      Moment since = failing.orElseGet(Moment::now);
      failing = Optional.of(since);
      if (since.elapsed().compareTo(PATIENCE) >= 0) {
        throw e;
      }
    }
  }

  /** Returns when the run would have been stopped for all that came back before it began. */
  void awaitHeard() throws InterruptedException {
    watch.awaitCaughtUp();
    CompletableFuture.runAsync(() -> {}, comparing).join();
  }

  /** What is known when all that was told and can be concluded by now is. */
  Tally tallyNow() throws InterruptedException {
    watch.awaitCaughtUp();
    foreign.lookAtAll();
    lost.lookAtAll();
    return outcomes.tally();
  }

  Outcomes outcomes() {
    return outcomes;
  }

  @Override
  public void close() {
    closed = true;
    comparing.shutdownNow();
    watch.close();
  }
}
