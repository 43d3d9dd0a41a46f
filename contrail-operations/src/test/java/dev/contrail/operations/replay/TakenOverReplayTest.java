package dev.contrail.operations.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.event.Status;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.Provision;
import dev.contrail.operations.transfer.ForeignStream;
import dev.contrail.operations.transfer.HeaderMapping;
import dev.contrail.operations.transfer.Importer;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Dead letters that were taken over from another team's stream are replayed like any other. */
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.replay.Scene#servers")
class TakenOverReplayTest {
  private static final JetStreamOptions OPTIONS = JetStreamOptions.defaultOptions();
  private static final int LETTERS = 5;

  private final NatsServerBinary binary;

  @SuppressWarnings("NullAway.Init") // opened before every test
  private Scene scene;

  TakenOverReplayTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    scene = Scene.on(binary, RetentionPolicy.WorkQueue);
    takeOver();
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void each_is_processed_once_under_its_original_subject_and_resolved() throws Exception {
    try (ContrailConsumer worker = scene.worker()) {
      // One of its own first: there is a ledger, and sequences that are those of dead letters too.
      scene.connection.jetStream().publish(scene.subject(), "own".getBytes(UTF_8));
      await().atMost(Scene.SOON).until(() -> worker.status().counts().done() == 1);
      PlanHead plan = scene.plan(PlanOptions.DEFAULT);
      assertThat(plan.entries()).isEqualTo(LETTERS);

      scene.run(plan);

      assertThat(scene.awaitAll(plan).tally().resolved()).isEqualTo(LETTERS);
      scene.awaitEmpty();
    }
    assertThat(scene.runs)
        .extracting(run -> run.subject() + " " + new String(run.data(), UTF_8))
        .containsExactlyInAnyOrder(
            scene.subject() + " own",
            scene.subject() + " order 0",
            scene.subject() + " order 1",
            scene.subject() + " order 2",
            scene.subject() + " order 3",
            scene.subject() + " order 4");
    assertThat(scene.runs)
        .filteredOn(run -> !new String(run.data(), UTF_8).equals("own"))
        .allMatch(run -> run.headers().first("x-exception-message").isPresent());
    assertThat(scene.all()).allMatch(it -> it.state().status() == Status.RESOLVED);
  }

  @Test
  void where_no_worker_of_contrail_is_known_what_becomes_of_them_is_concluded() throws Exception {
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    scene.run(plan);
    assertThat(scene.messages()).isEqualTo(LETTERS);
    assertThat(scene.plans.report(plan.plan(), Scene.ANN).tally().waiting()).isEqualTo(LETTERS);

    scene.management.purgeStream(scene.stream);

    assertThat(scene.awaitAll(plan).tally().inferred()).isEqualTo(LETTERS);
  }

  /** As the command does that imports from a stream. */
  private void takeOver() throws Exception {
    String old = scene.stream + "-old";
    scene.management.addStream(
        StreamConfiguration.builder().name(old).subjects(old + ".dead").build());
    for (int i = 0; i < LETTERS; i++) {
      Headers told =
          new Headers()
              .add("x-original-subject", scene.subject())
              .add("x-exception-message", "no such customer")
              .add("Nats-Msg-Id", "dead " + i);
      scene.connection.jetStream().publish(old + ".dead", told, ("order " + i).getBytes(UTF_8));
    }
    ForeignStream foreign =
        new ForeignStream(
            scene.connection,
            OPTIONS,
            old,
            HeaderMapping.known(),
            new ForeignStream.Defaults(Optional.of(scene.stream), Scene.CONSUMER));
    Importer importer =
        new Importer(
            scene.connection, OPTIONS, scene.names, Provision.CREATE, "stream " + old, Scene.ANN);
    for (long at = foreign.firstSequence(); at <= foreign.lastSequence(); at++) {
      assertThat(List.of(Importer.Result.IMPORTED))
          .contains(importer.store(foreign.read(at).orElseThrow()));
    }
  }
}
