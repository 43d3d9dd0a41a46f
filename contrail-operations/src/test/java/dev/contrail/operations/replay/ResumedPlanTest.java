package dev.contrail.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.evidence.DeadLetter;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.PlanStore;
import dev.contrail.plan.PlanEntry;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import dev.contrail.plan.PlanState;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.RetentionPolicy;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What came back after a run was killed, when nobody was there to be told. */
@Timeout(60)
class ResumedPlanTest {
  private static final int ENTRIES = 50;

  @SuppressWarnings("NullAway.Init") // opened before every test
  private Scene scene;

  @SuppressWarnings("NullAway.Init") // opened before every test
  private PlanStore plans;

  @BeforeEach
  void open() throws Exception {
    scene = Scene.on(Scene.newest(), RetentionPolicy.WorkQueue);
    plans = new PlanStore(scene.connection, JetStreamOptions.defaultOptions(), scene.names);
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void it_stops_the_plan_that_is_resumed_before_anything_is_published() throws Exception {
    PlanHead plan = killedAfterTheFirst();
    comesBackOfTheSame();

    PlanState state = scene.run(plan).state();

    assertThat(state.kind()).isEqualTo(PlanState.Kind.STOPPED);
    assertThat(state.why()).contains(" came back as ").contains(" the same failure");
    assertThat(scene.messages()).as("copies").isZero();
    assertThat(scene.run(plan).state().kind())
        .as("resumed by somebody who was told")
        .isEqualTo(PlanState.Kind.FINISHED);
  }

  @Test
  void it_stops_nothing_where_that_is_not_wanted() throws Exception {
    scene.die(ENTRIES);
    PlanHead plan =
        killedAfterTheFirst(
            scene.plan(new PlanOptions(Optional.empty(), Optional.empty(), 0, false, 3)));
    comesBackOfTheSame();

    assertThat(scene.run(plan).state().kind()).isEqualTo(PlanState.Kind.FINISHED);
  }

  private PlanHead killedAfterTheFirst() throws Exception {
    scene.die(ENTRIES);
    return killedAfterTheFirst(scene.plan(PlanOptions.DEFAULT));
  }

  /** What a run leaves behind that published one copy, wrote that down and was killed. */
  private PlanHead killedAfterTheFirst(PlanHead plan) throws Exception {
    scene.plans.letters =
        letters ->
            new Letters() {
              private boolean first = true;

              @Override
              public Optional<DeadLetter> next(PlanEntry entry) throws InterruptedException {
                if (!first) {
                  throw new ContrailException("killed");
                }
                first = false;
                return letters.next(entry);
              }

              @Override
              public void close() {
                letters.close();
              }
            };
    scene.run(plan);
    scene.plans.letters = letters -> letters;
    assertThat(scene.messages()).as("copies").isEqualTo(1);
    PlanStore.Current stopped = plans.state(plan).join();
    plans
        .append(
            plan.plan(),
            stopped.number() + 1,
            new PlanState(PlanState.Kind.RUNNING, Instant.now(), Scene.ANN, ""))
        .join();
    return plan;
  }

  private void comesBackOfTheSame() throws Exception {
    scene.rejectAll(1);
    scene.awaitEmpty();
  }
}
