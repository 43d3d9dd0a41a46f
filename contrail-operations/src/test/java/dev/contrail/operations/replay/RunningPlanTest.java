package dev.contrail.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.PlanStore;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import dev.contrail.plan.PlanState;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.RetentionPolicy;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Plans in the very moment in which they begin: cancelled, or not to be read back. */
@Timeout(60)
class RunningPlanTest {
  private static final String BOB = "bob@host";

  @SuppressWarnings("NullAway.Init") // opened before every test
  private Scene scene;

  @SuppressWarnings("NullAway.Init") // opened before every test
  private PlanHead plan;

  @SuppressWarnings("NullAway.Init") // opened before every test
  private DeadLetterId id;

  private final StopSign stop = new StopSign();
  private final AtomicBoolean begun = new AtomicBoolean();

  /** How many reads find nothing new. */
  private final AtomicInteger lagging = new AtomicInteger();

  @BeforeEach
  void open() throws Exception {
    scene = Scene.on(Scene.newest(), RetentionPolicy.WorkQueue);
    scene.bury(1);
    id = scene.all().get(0).summary().id();
    plan = scene.plan(PlanOptions.DEFAULT);
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void cancelled_since_it_was_made_it_does_not_begin() throws Exception {
    scene.plans.cancel(plan.plan(), BOB);

    RunResult result =
        scene.plans.begin(plan.plan(), Scene.ANN, false, new StopSign(), PlanReport.NO_LISTENER);

    assertCancelledByBob(result);
    assertThat(scene.messages()).isZero();
    assertThat(scene.run(plan).state().kind())
        .as("resumed on purpose")
        .isEqualTo(PlanState.Kind.FINISHED);
    assertThat(scene.state(id).isReplayUnderWay()).isTrue();
  }

  @Test
  void cancelled_before_it_says_that_it_runs_it_does_not_begin() throws Exception {
    assertCancelledByBob(during(() -> scene.plans.cancel(plan.plan(), BOB), () -> {}));
    assertThat(begun).isFalse();
  }

  @Test
  void cancelled_right_after_it_said_so_it_stops_at_once() throws Exception {
    assertCancelledByBob(during(() -> {}, () -> scene.plans.cancel(plan.plan(), BOB)));
    assertThat(stop.isSet()).isTrue();
  }

  @Test
  void its_age_counts_from_before_it_said_that_it_runs() throws Exception {
    AtomicLong said = new AtomicLong();
    AtomicLong began = new AtomicLong();
    run(
        () -> {},
        () -> said.set(System.nanoTime()),
        (storedAt, moment) -> {
          began.set(moment.nanos());
          return List.of();
        });
    assertThat(began.get() - said.get()).isNegative();
  }

  @Test
  void the_time_at_which_it_was_stored_that_it_runs_is_read_from_a_server_that_lags_behind()
      throws Exception {
    AtomicReference<Instant> told = new AtomicReference<>(Instant.MIN);
    AtomicReference<Instant> stored = new AtomicReference<>(Instant.MAX);
    run(
        () -> {},
        () -> {
          stored.set(current().storedAt());
          lagging.set(3);
        },
        (storedAt, began) -> {
          told.set(storedAt);
          return List.of();
        });
    assertThat(told).hasValue(stored.get());
  }

  @Test
  void a_run_whose_start_cannot_be_read_back_does_nothing_and_does_not_seem_to_go_on_for_ever() {
    assertThatThrownBy(
            () ->
                run(
                    () -> {},
                    () -> lagging.set(Integer.MAX_VALUE),
                    (storedAt, began) -> {
                      begun.set(true);
                      return List.of();
                    }))
        .isInstanceOf(ContrailException.class)
        .hasMessageStartingWith("What was written down of the plan cannot be read back");
    assertThat(begun).isFalse();
    assertThat(current().state().kind()).isEqualTo(PlanState.Kind.STOPPED);
  }

  private PlanStore.Current current() {
    return new PlanStore(scene.connection, JetStreamOptions.defaultOptions(), scene.names)
        .state(plan)
        .join();
  }

  private static void assertCancelledByBob(RunResult result) {
    assertThat(result.state().kind()).isEqualTo(PlanState.Kind.CANCELLED);
    assertThat(result.state().by()).isEqualTo(BOB);
  }

  private RunResult during(Runnable before, Runnable after) throws InterruptedException {
    return run(
        before,
        after,
        (storedAt, began) -> {
          begun.set(true);
          // Well below the time after which it listens by itself.
          assertThat(stop.isSet()).isTrue();
          return List.of();
        });
  }

  private RunResult run(Runnable before, Runnable after, RunningPlan.Body body)
      throws InterruptedException {
    JetStreamOptions options = JetStreamOptions.defaultOptions();
    PlanStore plans = new PlanStore(scene.connection, options, scene.names);
    RunningPlan.States states = RunningPlan.States.of(plans, plan.plan());
    try (PlanLease lease =
        PlanLease.take(scene.connection, options, scene.names, plan.plan(), Scene.ANN, false)) {
      return new RunningPlan(
              new RunningPlan.States() {
                @Override
                public CompletableFuture<PlanStore.Current> after(PlanStore.Current known) {
                  return lagging.getAndUpdate(left -> Math.max(0, left - 1)) > 0
                      ? CompletableFuture.completedFuture(known)
                      : states.after(known);
                }

                @Override
                public CompletableFuture<Boolean> append(int number, PlanState state) {
                  if (state.kind() != PlanState.Kind.RUNNING) {
                    return states.append(number, state);
                  }
                  before.run();
                  boolean stored = states.append(number, state).join();
                  after.run();
                  return CompletableFuture.completedFuture(stored);
                }
              },
              plans.state(plan).join(),
              Scene.ANN,
              Clock.systemUTC(),
              stop,
              lease)
          .during(body);
    }
  }
}
