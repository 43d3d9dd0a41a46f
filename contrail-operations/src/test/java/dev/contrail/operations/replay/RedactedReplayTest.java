package dev.contrail.operations.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.Delivery;
import dev.contrail.event.Status;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.Provision;
import dev.contrail.plan.PlanEntry;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.RetentionPolicy;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What was blanked out of a message must not come back to its consumer as if it had been sent. */
class RedactedReplayTest {
  @SuppressWarnings("NullAway.Init") // opened before every test
  private Scene scene;

  @BeforeEach
  void open() throws Exception {
    scene = Scene.on(Scene.newest(), RetentionPolicy.WorkQueue);
    scene.bury(1, letter -> new DeadLetter(letter.id(), letter.message(), letter.death(), true));
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void a_redacted_entry_is_left_out_of_plans_with_the_reason() throws Exception {
    Candidate redacted = scene.all().get(0);
    Candidate found = scene.selections.find(redacted.summary().id()).orElseThrow();
    for (Candidate candidate : List.of(redacted, found)) {
      for (boolean force : new boolean[] {false, true}) {
        Draft draft = scene.plans.draft(List.of(candidate), PlanOptions.DEFAULT, force);
        assertThat(draft.planned()).isEmpty();
        assertThat(draft.leftOut())
            .containsExactly(
                new Draft.LeftOut(
                    redacted.summary().id(),
                    "something was blanked out of it before it was stored; give it a whole payload"
                        + " with contrail dlq edit or --payload-file"));
      }
    }
  }

  @Test
  void a_plan_that_holds_a_redacted_entry_publishes_nothing_of_it() throws Exception {
    DeadLetterId id = scene.all().get(0).summary().id();
    PlanHead plan =
        scene.plans.create(List.of(new PlanEntry(id, 0, 0)), "one", PlanOptions.DEFAULT, Scene.ANN);
    scene.run(plan);
    assertThat(scene.plans.report(plan.plan(), Scene.ANN).findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.why()).contains("blanked out"));
    assertThat(scene.status(id)).isEqualTo(Status.OPEN);
    assertThat(scene.messages()).isZero();
  }

  @Test
  void with_a_payload_of_its_own_it_is_replayed() throws Exception {
    DeadLetterId id = scene.all().get(0).summary().id();
    byte[] whole = "order 1, whole".getBytes(UTF_8);
    new Edits(scene.connection, JetStreamOptions.defaultOptions(), scene.names, Provision.CREATE)
        .edit(id, whole, Scene.ANN);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    try (ContrailConsumer worker = scene.worker()) {
      scene.run(plan);
      assertThat(scene.awaitAll(plan).tally().resolved()).isEqualTo(1);
    }
    assertThat(scene.runs).extracting(Delivery::data).containsExactly(whole);
  }
}
