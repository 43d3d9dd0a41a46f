package dev.contrail.operations.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.Delivery;
import dev.contrail.Header;
import dev.contrail.Headers;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.OriginalMessage;
import dev.contrail.evidence.Sha256;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.Provision;
import dev.contrail.operations.transfer.ExportedEntry;
import dev.contrail.operations.transfer.Exporter;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import dev.contrail.redaction.Redaction;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.RetentionPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.replay.Scene#servers")
class EditsTest {
  private static final JetStreamOptions OPTIONS = JetStreamOptions.defaultOptions();

  private final NatsServerBinary binary;
  private Scene scene;
  private Edits edits;

  EditsTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    scene = Scene.on(binary, RetentionPolicy.WorkQueue);
    edits = new Edits(scene.connection, OPTIONS, scene.names, Provision.CREATE);
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void each_version_is_kept_with_its_difference_to_the_one_before() throws Exception {
    DeadLetterId id = scene.die(1).get(0);
    assertThat(edit(id, "order 0, mended").difference())
        .isEqualTo("@@ -1 +1 @@\n-order 0\n+order 0, mended");
    assertThat(edit(id, "order zero").version()).isEqualTo(2);

    assertThat(difference(id, 1)).isEqualTo("@@ -1 +1 @@\n-order 0\n+order 0, mended");
    assertThat(difference(id, 2)).isEqualTo("@@ -1 +1 @@\n-order 0, mended\n+order zero");
    assertThat(edits.difference(id, 3, Redaction.NONE)).isEmpty();
    assertThat(text(id, 0)).isEqualTo("order 0");
    assertThat(text(id, 1)).isEqualTo("order 0, mended");
    assertThat(text(id, 2)).isEqualTo("order zero");
  }

  @Test
  void of_those_who_edit_at_the_same_moment_each_gets_a_difference_that_is_true() throws Exception {
    DeadLetterId id = scene.die(1).get(0);
    int count = 8;
    List<CompletableFuture<Edits.Edit>> editing = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String text = "mended by " + i;
      editing.add(CompletableFuture.supplyAsync(() -> edit(id, text)));
    }
    CompletableFuture.allOf(editing.toArray(CompletableFuture<?>[]::new)).join();
    for (int version = 1; version <= count; version++) {
      assertThat(difference(id, version))
          .isEqualTo("@@ -1 +1 @@\n-" + text(id, version - 1) + "\n+" + text(id, version));
    }
  }

  @Test
  void a_payload_that_leaves_no_room_for_its_difference_is_stored_without() throws Exception {
    DeadLetterId id = scene.die(1).get(0);
    byte[] largest = new byte[(int) scene.connection.getMaxPayload() - 1_024];
    assertThat(edits.edit(id, largest, Scene.ANN).difference()).isEmpty();
    assertThat(edits.payload(id, 1)).hasValue(largest);
    assertThat(edits.difference(id, 1, Redaction.NONE)).isEmpty();
  }

  @Test
  void an_edit_of_an_earlier_release_is_read_and_replayed() throws Exception {
    DeadLetterId id = scene.die(1).get(0);
    edit(id, "to have the stream");
    byte[] payload = "as it was stored before".getBytes(UTF_8);
    scene
        .events
        .take(
            id,
            scene.state(id),
            state -> new Step.Edited(state.version() + 1, payload.length, Sha256.hex(payload)),
            payload,
            new EventStore.Decider(Scene.ANN, Instant.now(), false))
        .join();
    assertThat(edits.payload(id, 2)).hasValue(payload);
    assertThat(edits.difference(id, 2, Redaction.NONE)).isEmpty();
    replay(scene.all());
    assertThat(scene.runs).extracting(Delivery::data).containsExactly(payload);
  }

  @Test
  void what_rules_hide_is_neither_in_the_difference_nor_in_an_export() throws Exception {
    scene
        .connection
        .jetStream()
        .publish(scene.subject(), "{\"card\":4111,\"n\":1}".getBytes(UTF_8));
    DeadLetterId id = scene.rejectAll(1).get(0);
    edit(id, "{\"card\":4222,\"n\":2}");
    Redaction rules = Redaction.of(List.of(), List.of("$.card"));

    assertThat(edits.difference(id, 1, rules).orElseThrow().lines())
        .containsExactly(
            "@@ -1 +1 @@",
            "-{\"card\":\"[redacted]\",\"n\":1}",
            "+{\"card\":\"[redacted]\",\"n\":2}");
    ExportedEntry exported =
        new Exporter(scene.connection, OPTIONS, scene.names, rules).export(id).orElseThrow();
    assertThat(exported.events())
        .allSatisfy(
            event ->
                assertThat(new String(event.body(), UTF_8) + event.headers())
                    .doesNotContain("4222")
                    .doesNotContain("4111"));
  }

  @Test
  void any_version_is_replayed_also_the_original() throws Exception {
    List<DeadLetterId> ids = scene.die(3);
    for (DeadLetterId id : ids) {
      edit(id, "first");
      edit(id, "second");
    }
    List<Candidate> chosen = new ArrayList<>();
    List<Candidate> all = scene.all();
    for (int version = 0; version < 3; version++) {
      chosen.add(all.get(version).ofVersion(version));
    }
    Draft draft = scene.plans.draft(chosen, PlanOptions.DEFAULT, false);
    assertThat(draft.planned()).extracting(it -> it.entry().version()).containsExactly(0, 1, 2);
    assertThat(draft.planned()).extracting(Draft.Planned::bytes).containsExactly(7L, 5L, 6L);
    assertThat(draft.planned())
        .extracting(Draft.Planned::isOlder)
        .containsExactly(true, true, false);

    replay(chosen);
    assertThat(scene.runs)
        .extracting(run -> new String(run.data(), UTF_8))
        .containsExactlyInAnyOrder("order 0", "first", "second");
    assertThat(scene.runs)
        .filteredOn(run -> new String(run.data(), UTF_8).equals("order 0"))
        .singleElement()
        .satisfies(
            run -> {
              assertThat(run.idempotencyKey()).endsWith("." + ids.get(0).sequence());
              assertThat(run.headers().first("Contrail-Replay-Version")).isEmpty();
            });
  }

  @Test
  void headers_that_were_blanked_out_are_left_out_of_the_copy_which_is_said_before()
      throws Exception {
    Headers headers =
        Headers.of(
            List.of(new Header("Authorization", Redaction.MARK), new Header("Trace", "t-1")));
    scene.bury(
        1,
        letter ->
            new DeadLetter(
                letter.id(),
                OriginalMessage.of(
                    letter.message().subject(),
                    letter.message().publishedAt(),
                    headers,
                    letter.message().payload()),
                letter.death(),
                true));
    DeadLetterId id = scene.all().get(0).summary().id();
    edit(id, "whole");

    assertThat(scene.plans.draft(scene.all(), PlanOptions.DEFAULT, false).warnings())
        .contains(
            "Headers that were blanked out before they were stored are left out of 1 copy:"
                + " Authorization.");
    replay(scene.all());
    assertThat(scene.runs)
        .singleElement()
        .satisfies(
            run -> {
              assertThat(run.headers().first("Trace")).contains("t-1");
              assertThat(run.headers().first("Authorization")).isEmpty();
            });
  }

  private void replay(List<Candidate> candidates) throws Exception {
    PlanHead plan = scene.plan(candidates, PlanOptions.DEFAULT, false);
    try (ContrailConsumer worker = scene.worker()) {
      scene.run(plan);
      assertThat(scene.awaitAll(plan).tally().resolved()).isEqualTo(candidates.size());
    }
  }

  private Edits.Edit edit(DeadLetterId id, String text) {
    return edits.edit(id, text.getBytes(UTF_8), Scene.ANN);
  }

  private String difference(DeadLetterId id, int version) {
    return edits.difference(id, version, Redaction.NONE).orElseThrow();
  }

  private String text(DeadLetterId id, int version) {
    return new String(edits.payload(id, version).orElseThrow(), UTF_8);
  }
}
