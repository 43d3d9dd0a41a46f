package dev.contrail.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.event.ReplayOutcome;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Reason;
import dev.contrail.jetstream.PlanStore;
import dev.contrail.plan.Outlook;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import dev.contrail.plan.PlanProgress;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is concluded of copies to a consumer that is not run by Contrail. */
@Timeout(60)
class ForeignOutcomesTest {
  private static final Tally RESOLVED = new Tally(0, 0, 0, 1, 1, 0, 0, 0);
  private static final Tally UNKNOWN = new Tally(0, 0, 1, 0, 0, 0, 0, 0);

  @SuppressWarnings("NullAway.Init") // set before each
  private Scene scene;

  @SuppressWarnings("NullAway.Init") // set before each
  private DeadLetterId id;

  @SuppressWarnings("NullAway.Init") // set before each
  private PlanHead plan;

  @BeforeEach
  void open() throws Exception {
    scene = Scene.on(Scene.newest(), RetentionPolicy.WorkQueue);
    scene.bury(Scene.CONSUMER, Reason.EXHAUSTED, 1_000_001, 1);
    id = scene.all().get(0).summary().id();
    plan = scene.plan(PlanOptions.DEFAULT);
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void a_copy_that_went_with_its_stream_is_not_taken_for_processed() throws Exception {
    scene.run(plan);
    scene.management.deleteStream(scene.stream);
    assertThat(scene.awaitAll(plan).tally()).isEqualTo(UNKNOWN);
    makeAgain();
    assertThat(scene.awaitAll(plan).tally()).isEqualTo(UNKNOWN);
    assertThat(scene.events.outcome(id, 1).join()).isEmpty();
  }

  @Test
  void a_dead_letter_of_a_stream_made_again_is_none_of_the_copy() throws Exception {
    scene.run(plan);
    scene.management.deleteStream(scene.stream);
    makeAgain();
    scene.bury(Scene.CONSUMER, Reason.EXHAUSTED, 1, 1);
    assertThat(scene.awaitAll(plan).tally()).isEqualTo(UNKNOWN);
    assertThat(scene.events.outcome(id, 1).join()).isEmpty();
  }

  @Test
  void a_dead_letter_of_another_consumer_does_not_bring_the_entry_back() throws Exception {
    scene.run(plan);
    scene.bury("mail", Reason.EXHAUSTED, 1, 1);
    scene.management.deleteMessage(scene.stream, 1);
    assertThat(scene.awaitAll(plan).tally()).isEqualTo(RESOLVED);
  }

  @Test
  void a_dead_letter_of_its_own_consumer_does() throws Exception {
    scene.run(plan);
    scene.bury(Scene.CONSUMER, Reason.EXHAUSTED, 1, 1);
    scene.management.deleteMessage(scene.stream, 1);
    assertThat(scene.awaitAll(plan).tally().returned()).isEqualTo(1);
    assertThat(scene.events.outcome(id, 1).join().orElseThrow())
        .isInstanceOf(ReplayOutcome.Returned.class);
  }

  @Test
  void nothing_is_concluded_where_it_was_not_written_down_which_stream_it_was() throws Exception {
    List<PlanProgress> done =
        List.of(new PlanProgress.Published(0, 1, scene.stream, 1, Outlook.INFERRED));
    new PlanStore(scene.connection, JetStreamOptions.defaultOptions(), scene.names)
        .append(plan.plan(), 1, done, Instant.now(), Scene.ANN)
        .join();
    assertThat(scene.awaitAll(plan).tally()).isEqualTo(UNKNOWN);
    assertThat(scene.events.outcome(id, 1).join()).isEmpty();
  }

  private void makeAgain() throws Exception {
    scene.management.addStream(
        StreamConfiguration.builder()
            .name(scene.stream)
            .subjects(scene.stream + ".>")
            .retentionPolicy(RetentionPolicy.WorkQueue)
            .build());
  }
}
