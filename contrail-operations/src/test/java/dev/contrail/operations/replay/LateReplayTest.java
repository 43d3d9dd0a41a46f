package dev.contrail.operations.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.event.CopyPlace;
import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Status;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.CopyPublisher.Fate;
import dev.contrail.jetstream.EventStore.Decider;
import dev.contrail.jetstream.EventStore.Decision;
import dev.contrail.jetstream.Provision;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import dev.contrail.plan.PlanProgress;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Others decide, publish and delete between two steps of a replay. */
class LateReplayTest {
  private static final PlanOptions TO_ELSEWHERE =
      new PlanOptions(Optional.of("elsewhere.late"), Optional.empty(), 0, true, 3);

  @SuppressWarnings("NullAway.Init") // opened before every test
  private Scene scene;

  private final List<PlanProgress> progress = new CopyOnWriteArrayList<>();

  @BeforeEach
  void open() throws Exception {
    scene = Scene.on(Scene.newest(), RetentionPolicy.WorkQueue);
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void what_was_edited_after_the_plan_was_made_is_not_replayed_as_it_was() throws Exception {
    DeadLetterId id = scene.die(1).get(0);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    new Edits(scene.connection, JetStreamOptions.defaultOptions(), scene.names, Provision.CREATE)
        .edit(id, "mended".getBytes(UTF_8), Scene.ANN);

    scene.run(plan);

    assertThat(scene.messages()).isZero();
    assertThat(scene.status(id)).isEqualTo(Status.OPEN);
    assertThat(scene.plans.report(plan.plan(), Scene.ANN).findings())
        .extracting(PlanReport.Finding::why)
        .containsExactly("it was edited after the plan was made");
  }

  @Test
  void a_refused_publish_does_not_hide_that_somebody_else_published_the_copy() throws Exception {
    DeadLetterId id = scene.die(1).get(0);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    ReplayOutcome resolved =
        new ReplayOutcome.Resolved(
            new CopyPlace(scene.stream, id.incarnation(), 2), Scene.CONSUMER, false);
    scene.plans.port = port -> new Meanwhile(port, decided -> decided, () -> told(id, resolved));

    scene.run(plan);

    assertThat(progress)
        .singleElement()
        .isInstanceOfSatisfying(
            PlanProgress.Published.class,
            published -> assertThat(published.sequence()).isEqualTo(2));
    assertThat(scene.status(id)).isEqualTo(Status.RESOLVED);
  }

  @Test
  void an_entry_whose_stream_was_deleted_between_step_and_copy_is_open_again() throws Exception {
    DeadLetterId id = scene.die(1).get(0);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    runUntilKilledAfterStep(plan);
    scene.management.deleteStream(scene.stream);

    scene.run(plan);

    assertThat(scene.status(id)).isEqualTo(Status.OPEN);
    assertThat(scene.events.outcome(id, 1).join())
        .contains(new ReplayOutcome.Failed("there is no stream " + scene.stream + " any more"));
    assertThat(scene.plans.report(plan.plan(), Scene.ANN).tally().failed()).isEqualTo(1);
  }

  @Test
  void where_nobody_tells_whether_a_copy_was_processed_it_is_open_again_by_force_alone()
      throws Exception {
    String elsewhere = scene.stream + "-elsewhere";
    scene.management.addStream(
        StreamConfiguration.builder().name(elsewhere).subjects("elsewhere.late").build());
    DeadLetterId id = scene.die(1).get(0);
    PlanHead plan = scene.plan(TO_ELSEWHERE);
    runUntilKilledAfterStep(plan);
    scene.management.deleteStream(elsewhere);

    assertThat(scene.run(plan).unsettled()).hasSize(1);
    assertThat(scene.status(id)).isEqualTo(Status.REPLAYING);
    scene.plans.run(plan.plan(), Scene.ANN, true, new StopSign(), PlanReport.NO_LISTENER);
    assertThat(scene.status(id)).isEqualTo(Status.OPEN);
  }

  @Test
  void a_replay_without_a_destination_is_written_down_with_its_place_in_the_chain()
      throws Exception {
    DeadLetterId id = scene.die(1).get(0);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    scene.management.deleteStream(scene.stream);

    scene.run(plan);

    assertThat(scene.events.find(EventAddress.step(id, 1)).join().orElseThrow().fact())
        .isInstanceOfSatisfying(
            Step.Replay.class,
            replay -> {
              assertThat(replay.root()).isEqualTo(id);
              assertThat(replay.count()).isEqualTo(1);
            });
  }

  private void runUntilKilledAfterStep(PlanHead plan) throws InterruptedException {
    scene.plans.port =
        port ->
            new Meanwhile(
                port,
                decided ->
                    decided.thenCompose(
                        any -> CompletableFuture.failedFuture(new ContrailException("killed"))),
                () -> {});
    scene.run(plan);
    scene.plans.port = UnaryOperator.identity();
  }

  private void told(DeadLetterId id, ReplayOutcome outcome) {
    assertThat(
            scene
                .events
                .create(new Event(EventAddress.outcome(id, 1), Instant.now(), "7@host", outcome))
                .join())
        .isTrue();
  }

  /** Refuses every copy, after something else has happened. */
  private final class Meanwhile implements ReplayPort {
    private final ReplayPort port;
    private final UnaryOperator<CompletableFuture<Decision>> decided;
    private final Runnable meanwhile;

    Meanwhile(
        ReplayPort port, UnaryOperator<CompletableFuture<Decision>> decided, Runnable meanwhile) {
      this.port = port;
      this.decided = decided;
      this.meanwhile = meanwhile;
    }

    @Override
    public CompletableFuture<Decision> decide(
        DeadLetterId entry, EntryState known, Step step, Decider decider) {
      return decided.apply(port.decide(entry, known, step, decider));
    }

    @Override
    public CompletableFuture<Fate> publish(String subject, byte[] headerBlock, byte[] payload) {
      return CompletableFuture.runAsync(meanwhile).thenApply(any -> new Fate.Refused("full"));
    }

    @Override
    public CompletableFuture<Boolean> tell(Event outcome) {
      return port.tell(outcome);
    }

    @Override
    public CompletableFuture<Boolean> progress(
        String plan, int number, List<PlanProgress> done, String by) {
      progress.addAll(done);
      return port.progress(plan, number, done, by);
    }
  }
}
