package dev.contrail.operations.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.Fact;
import dev.contrail.event.Status;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.Provision;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.impl.Headers;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.replay.Scene#servers")
class DecisionsTest {
  private static final JetStreamOptions OPTIONS = JetStreamOptions.defaultOptions();

  private final NatsServerBinary binary;
  private Scene scene;

  DecisionsTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    scene = Scene.on(binary, RetentionPolicy.WorkQueue);
  }

  @AfterEach
  void close() {
    scene.close();
  }

  private Decisions decisions(boolean force) {
    return new Decisions(
        scene.connection, OPTIONS, scene.names, Provision.CREATE, Scene.ANN, force);
  }

  @Test
  void what_is_discarded_stays_with_the_reason_and_can_be_restored_and_replayed() throws Exception {
    DeadLetterId id = scene.die(1).get(0);

    assertThat(decisions(false).restore(id)).contains("it is open");
    assertThat(decisions(false).discard(id, "of a test")).isEmpty();
    assertThat(scene.status(id)).isEqualTo(Status.DISCARDED);
    assertThat(scene.deadLetters().find(id)).isPresent();
    assertThat(decisions(false).discard(id, "once more"))
        .contains("it is discarded by " + Scene.ANN);
    assertThat(scene.plans.draft(scene.all(), PlanOptions.DEFAULT, false).leftOut())
        .containsExactly(new Draft.LeftOut(id, "it is discarded by " + Scene.ANN));

    decisions(false).note(id, "José called,\ntwice");
    assertThat(decisions(false).restore(id)).isEmpty();
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    try (ContrailConsumer worker = scene.worker()) {
      scene.run(plan);
      scene.awaitAll(plan);
    }
    assertThat(scene.status(id)).isEqualTo(Status.RESOLVED);
    assertThat(decisions(false).restore(id))
        .contains("it is resolved in plan " + plan.plan() + "; --force does it all the same");
    assertThat(facts(id))
        .startsWith(
            new Step.Discarded("of a test"),
            new Fact.Note("José called,\ntwice"),
            new Step.Restored());
  }

  @Test
  void what_may_come_back_yet_is_not_discarded_unless_forced() throws Exception {
    DeadLetterId id = scene.die(1).get(0);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    scene.run(plan);

    assertThat(decisions(false).discard(id, "of a test"))
        .contains(
            "it is being replayed in plan "
                + plan.plan()
                + " by "
                + Scene.ANN
                + "; --force does it all the same");
    assertThat(decisions(true).discard(id, "of a test")).isEmpty();
  }

  @Test
  void what_was_discarded_while_its_copy_was_under_way_is_not_restored_unless_forced()
      throws Exception {
    DeadLetterId id = scene.die(1).get(0);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    scene.run(plan);
    assertThat(decisions(true).discard(id, "of a test")).isEmpty();
    String refusal = "it is discarded by " + Scene.ANN + ", and a copy of it ";

    assertThat(decisions(false).restore(id))
        .contains(refusal + "may be processed yet; --force does it all the same");
    try (ContrailConsumer worker = scene.worker()) {
      scene.awaitAll(plan);
    }
    assertThat(scene.runs).hasSize(1);
    assertThat(decisions(false).restore(id))
        .contains(refusal + "was processed or came back; --force does it all the same");
    assertThat(scene.status(id)).isEqualTo(Status.DISCARDED);
    assertThat(decisions(true).restore(id)).isEmpty();
    assertThat(scene.status(id)).isEqualTo(Status.OPEN);
  }

  @Test
  void what_is_restored_by_force_while_its_copy_is_under_way_is_processed_once() throws Exception {
    DeadLetterId id = scene.die(1).get(0);
    scene.run(scene.plan(PlanOptions.DEFAULT));
    assertThat(decisions(true).discard(id, "of a test")).isEmpty();
    assertThat(decisions(true).restore(id)).isEmpty();
    PlanHead next = scene.plan(PlanOptions.DEFAULT);
    scene.run(next);
    assertThat(scene.messages()).as("copies").isEqualTo(2);

    try (ContrailConsumer worker = scene.worker()) {
      assertThat(scene.awaitAll(next).tally().resolved()).isEqualTo(1);
      scene.awaitEmpty();
    }
    assertThat(scene.runs).hasSize(1);
  }

  @Test
  void what_is_purged_is_gone_with_its_parts_and_its_edits_and_says_so() throws Exception {
    byte[] large = new byte[(1 << 20) - 100];
    scene.connection.jetStream().publish(scene.subject(), large);
    DeadLetterId id = scene.rejectAll(1).get(0);
    assertThat(messages(scene.names.deadLetterStream())).as("head and parts").isGreaterThan(1);
    Edits edits = new Edits(scene.connection, OPTIONS, scene.names, Provision.CREATE);
    edits.edit(id, "secret".getBytes(UTF_8), Scene.ANN);
    DeadLetterSummary letter = scene.all().get(0).summary();

    assertThat(decisions(false).purge(letter)).contains("it is open; --force does it all the same");
    assertThat(scene.deadLetters().find(id)).isPresent();
    decisions(false).discard(id, "of a test");
    assertThat(decisions(false).purge(letter)).isEmpty();

    assertThat(messages(scene.names.deadLetterStream())).isZero();
    assertThat(edits.payload(id, 1)).as("the payload of the edit").isEmpty();
    assertThat(messages(scene.names.eventStream())).as("one message an event").isEqualTo(3);
    assertThat(facts(id))
        .extracting(Fact::kind)
        .containsExactlyInAnyOrder("edited", "discarded", "purged");
    assertThat(facts(id)).contains(new Step.Purged(letter.publishedAt(), letter.payloadSha256()));
    assertThat(scene.status(id)).isEqualTo(Status.PURGED);
  }

  @Test
  void an_edit_in_the_moment_of_the_purge_is_taken_away_too() throws Exception {
    DeadLetterId id = scene.die(1).get(0);
    DeadLetterSummary letter = scene.all().get(0).summary();
    Edits edits = new Edits(scene.connection, OPTIONS, scene.names, Provision.CREATE);
    Decisions decisions = decisions(true);
    decisions.clock =
        new Clock() {
          @Override
          public Instant instant() {
            edits.edit(id, "secret".getBytes(UTF_8), Scene.ANN);
            return Instant.now();
          }

          @Override
          public ZoneId getZone() {
            return ZoneOffset.UTC;
          }

          @Override
          public Clock withZone(ZoneId zone) {
            return this;
          }
        };

    assertThat(decisions.purge(letter)).isEmpty();

    assertThat(facts(id)).extracting(Fact::kind).containsExactlyInAnyOrder("edited", "purged");
    assertThat(edits.payload(id, 1)).as("the payload of the edit").isEmpty();
  }

  @Test
  void a_purge_that_was_killed_anywhere_is_brought_to_an_end_by_another() throws Exception {
    DeadLetterId id = scene.die(1).get(0);
    DeadLetterSummary letter = scene.all().get(0).summary();
    Edits edits = new Edits(scene.connection, OPTIONS, scene.names, Provision.CREATE);
    edits.edit(id, "secret".getBytes(UTF_8), Scene.ANN);
    scene
        .events
        .take(
            id,
            new Step.Purged(letter.publishedAt(), letter.payloadSha256()),
            new EventStore.Decider(Scene.ANN, Instant.now(), true))
        .join();
    // The event without its body is there, and the one with it is too.
    scene
        .connection
        .jetStream()
        .publish(
            EventAddress.step(id, 1).subject(scene.names.prefix()),
            headersWithoutExpectation(EventAddress.step(id, 1)),
            new byte[0]);
    assertThat(scene.all()).as("still listed").hasSize(1);

    assertThat(decisions(false).purge(letter)).isEmpty();

    assertThat(messages(scene.names.deadLetterStream())).isZero();
    assertThat(messages(scene.names.eventStream())).as("one message an event").isEqualTo(2);
    assertThat(scene.status(id)).isEqualTo(Status.PURGED);
    assertThat(decisions(false).purge(letter)).as("once more").isEqualTo(Optional.empty());
  }

  private Headers headersWithoutExpectation(EventAddress address) throws Exception {
    Headers headers =
        new Headers(
            scene
                .management
                .getLastMessage(scene.names.eventStream(), address.subject(scene.names.prefix()))
                .getHeaders());
    headers.remove("Nats-Expected-Last-Subject-Sequence");
    return headers;
  }

  private long messages(String stream) throws Exception {
    return scene.management.getStreamInfo(stream).getStreamState().getMsgCount();
  }

  private List<Fact> facts(DeadLetterId id) {
    return scene.events.events(id).join().events().stream().map(Event::fact).toList();
  }
}
