package dev.contrail.operations.replay;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.PlanStore;
import dev.contrail.plan.PlanState;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The time during which a plan runs: it says so, listens whether it is to end, and says how. */
final class RunningPlan {
  private static final long LISTEN_EVERY_MILLIS = 300;
  private static final int MOST_READS = 60;
  private static final long READ_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final States states;
  private final String by;
  private final Clock clock;
  private final StopSign stop;
  private final PlanLease lease;
  private volatile PlanStore.Current current;

  RunningPlan(
      States states,
      PlanStore.Current current,
      String by,
      Clock clock,
      StopSign stop,
      PlanLease lease) {
    this.states = states;
    this.current = current;
    this.by = by;
    this.clock = clock;
    this.stop = stop;
    this.lease = lease;
  }

  /** What was said of the plan, in its order. */
  interface States {
    /** The newest. */
    CompletableFuture<PlanStore.Current> after(PlanStore.Current known);

    /** Adds one; false when somebody was first. */
    CompletableFuture<Boolean> append(int number, PlanState state);

    static States of(PlanStore plans, String plan) {
      return new States() {
        @Override
        public CompletableFuture<PlanStore.Current> after(PlanStore.Current known) {
          return plans.stateAfter(plan, known);
        }

        @Override
        public CompletableFuture<Boolean> append(int number, PlanState state) {
          return plans.append(plan, number, state);
        }
      };
    }
  }

  /** What is done meanwhile. */
  interface Body {
    /**
     * Does it.
     *
     * @param storedAt when the server stored that it runs, or a little later
     * @param began no later than that
     */
    List<RunResult.Unsettled> carryOut(Instant storedAt, Moment began) throws InterruptedException;
  }

  /** The first run of a plan: one that was cancelled before it began is left alone. */
  RunResult first(Body body) throws InterruptedException {
    return current.state().kind() == PlanState.Kind.CANCELLED
        ? new RunResult(current.state(), List.of())
        : during(body);
  }

  RunResult during(Body body) throws InterruptedException {
    // Before it is written down: stopped right after that, this process would take itself to be
    // younger than it is, and the stream to know again what it has forgotten.
    Moment began = Moment.now();
    Optional<PlanState> cancelled = sayRunning();
    if (cancelled.isPresent()) {
      return new RunResult(cancelled.get(), List.of());
    }
    ScheduledExecutorService listening =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "contrail-plan");
              thread.setDaemon(true);
              return thread;
            });
    try {
      readBack();
      listen();
      var unused =
          listening.scheduleWithFixedDelay(
              this::listen, LISTEN_EVERY_MILLIS, LISTEN_EVERY_MILLIS, TimeUnit.MILLISECONDS);
      return end(body.carryOut(current.storedAt(), began));
    } catch (RuntimeException | InterruptedException e) {
      stop.stop(
          PlanState.Kind.STOPPED,
          e instanceof ContrailException ? String.valueOf(e.getMessage()) : e.toString());
      sayStopped(e);
      throw e;
    } finally {
      listening.shutdownNow();
    }
  }

  /** Or else the plan would seem to run for ever. */
  private void sayStopped(Exception cause) {
    try {
      end(List.of());
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  private void listen() {
    try {
      PlanStore.Current now = Futures.get(states.after(current));
      if (now.number() > current.number()) {
        stop.stop(now.state().kind(), "by " + now.state().by());
      }
    } catch (RuntimeException e) {
      // The server is away, as whoever replays will notice.
    }
    if (lease.isLost()) {
      stop.stop(PlanState.Kind.STOPPED, "another process runs it now");
    }
  }

  private RunResult end(List<RunResult.Unsettled> unsettled) {
    PlanStore.Current now = Futures.get(states.after(current));
    if (now.number() > current.number()) {
      // Somebody else has said so already.
      return new RunResult(now.state(), unsettled);
    }
    StopSign.Reason reason =
        stop.reason()
            .orElseGet(
                () ->
                    unsettled.isEmpty()
                        ? new StopSign.Reason(PlanState.Kind.FINISHED, "")
                        : new StopSign.Reason(
                            PlanState.Kind.STOPPED,
                            unsettled.size() == 1
                                ? "it is not known whether one copy was published"
                                : "it is not known whether "
                                    + unsettled.size()
                                    + " copies were published"));
    return new RunResult(
        append(new PlanState(reason.kind(), clock.instant(), by, reason.why())), unsettled);
  }

  private PlanState append(PlanState state) {
    PlanStore.Current before = current;
    while (!Futures.get(states.append(before.number() + 1, state))) {
      before = Futures.get(states.after(before));
    }
    return state;
  }

  /** Says that it runs; not where somebody cancels it at this very moment, which is returned. */
  private Optional<PlanState> sayRunning() {
    PlanState running = new PlanState(PlanState.Kind.RUNNING, clock.instant(), by, "");
    PlanStore.Current before = current;
    while (!Futures.get(states.append(before.number() + 1, running))) {
      before = Futures.get(states.after(before));
      if (before.state().kind() == PlanState.Kind.CANCELLED) {
        return Optional.of(before.state());
      }
    }
    current = new PlanStore.Current(running, before.number() + 1, before.storedAt());
    return Optional.empty();
  }

  /**
   * Reads back what was said, for the server's time. What was said since belongs to this run: the
   * next look finds it.
   */
  private void readBack() throws InterruptedException {
    PlanStore.Current before =
        new PlanStore.Current(current.state(), current.number() - 1, current.storedAt());
    for (int tries = 0; tries < MOST_READS; tries++) {
      PlanStore.Current now = Futures.get(states.after(before));
      if (now.number() > before.number()) {
        current = new PlanStore.Current(current.state(), current.number(), now.storedAt());
        return;
      }
      stop.await(READ_AGAIN_NANOS);
    }
    throw new ContrailException(
        "What was written down of the plan cannot be read back; is a server far behind?");
  }
}
