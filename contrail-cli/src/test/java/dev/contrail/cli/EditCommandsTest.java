package dev.contrail.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.Delivery;
import dev.contrail.RejectedMessageException;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.redaction.Redaction;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.impl.Headers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Payloads in the place of those that died, and which of them go out. */
class EditCommandsTest {
  private static final String ORDER = "{\"card\": 4111,\n \"amount\": \"12,50\"}";

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init") // opened before every test
  private DeadLetterPlace place;

  private final Queue<Delivery<byte[]>> runs = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void open() throws Exception {
    place = new DeadLetterPlace(folder, RetentionPolicy.WorkQueue);
  }

  @AfterEach
  void close() throws Exception {
    place.close();
  }

  @Test
  void the_history_tells_who_changed_what() throws Exception {
    String id = die(Redaction.NONE);
    edit("s/12,50/12.50/", id);
    edit("s/4111/4222/", id);

    assertThat(place.run("dlq", "show", id)).as(place.err).isZero();
    assertThat(place.out)
        .contains(
            """
            ann@host  edited: version 1, 34 bytes
                @@ -1,2 +1,2 @@
                 {"card": 4111,
                - "amount": "12,50"}
                + "amount": "12.50"}
            """);
    assertThat(place.run("dlq", "show", id, "--json")).isZero();
    JsonNode event = place.json().get("events").get(1);
    assertThat(event.get("by").asString()).isEqualTo("ann@host");
    assertThat(event.get("version").asInt()).isEqualTo(2);
    assertThat(event.get("difference").valueStream().map(JsonNode::asString))
        .containsExactly(
            "@@ -1,2 +1,2 @@",
            "-{\"card\": 4111,",
            "+{\"card\": 4222,",
            "  \"amount\": \"12.50\"}");
  }

  @Test
  void what_is_redacted_is_not_in_the_history() throws Exception {
    String id = die(Redaction.NONE);
    edit("s/4111/4222/", id);
    edit("s/12,50/12.50/", id);
    for (String[] command : new String[][] {{"dlq", "show", id}, {"dlq", "show", id, "--json"}}) {
      place.env.put("CONTRAIL_REDACT_JSON", "$.card");
      assertThat(place.run(command)).as(place.err).isZero();
      assertThat(place.out)
          .contains("(all that differs is redacted)")
          .contains("12.50")
          .doesNotContain("4222")
          .doesNotContain("4111");
    }
    edit("s/4222/4333/", id);
    assertThat(place.out).contains("(all that differs is redacted)").doesNotContain("4333");
  }

  @Test
  void any_version_can_be_replayed_and_a_dry_run_says_which() throws Exception {
    String id = die(Redaction.NONE);
    edit("s/12,50/12.50/", id);
    edit("s/12.50/13/", id);

    assertThat(place.run("dlq", "replay", id, "--payload-version", "0", "--dry-run"))
        .as(place.err)
        .isZero();
    assertThat(place.out).contains("original, not 2");
    assertThat(place.run("dlq", "replay", id, "--payload-version", "1", "--dry-run", "--json"))
        .isZero();
    JsonNode planned = place.json().get("planned").get(0);
    assertThat(planned.get("version").asInt()).isEqualTo(1);
    assertThat(planned.get("newestVersion").asInt()).isEqualTo(2);
    assertThat(planned.get("bytes").asInt()).isEqualTo(ORDER.length());

    assertRefused(
        "--payload-version: " + id + " has no version 3; accepted are 0, the original, to 2",
        "replay",
        id,
        "--payload-version",
        "3",
        "--yes");
    assertRefused(
        "--payload-version: '-1' is out of range", "replay", id, "--payload-version", "-1");
    assertRefused(
        "--payload-version 1 is for dead letters that their ids name",
        "replay",
        "--all",
        "--payload-version",
        "1",
        "--yes");
    assertRefused(
        "both say what", "replay", id, "--payload-version", "0", "--payload-file", "x", "--yes");
    assertRefused("has no version 3", "show", id, "--payload", "--payload-version", "3");
    assertThat(place.published()).isEqualTo(1);

    Path shown = folder.resolve("shown");
    Process process = place.start(shown, "dlq", "show", id, "--payload", "--payload-version", "1");
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(shown).hasContent(ORDER.replace("12,50", "12.50"));

    replay(ExitCode.FINE, "--all", "--payload-version", "0", "--wait");
    assertThat(runs).extracting(run -> new String(run.data(), UTF_8)).containsExactly(ORDER);
  }

  @Test
  void what_was_blanked_out_does_not_go_out_as_a_mark() throws Exception {
    String id = die(Redaction.of(List.of("Authorization"), List.of("$.card")));
    String refusal = "the payload still holds [redacted] where something was blanked out before ";

    place.env.put("EDITOR", "sed -i s/12,50/12.50/");
    assertThat(place.run("dlq", "edit", id)).isEqualTo(ExitCode.USAGE);
    assertThat(place.err).contains(refusal + id).hasLineCount(2);
    Path written =
        Path.of(
            place.err.lines().findFirst().orElseThrow().replaceAll(".*what you wrote is in ", ""));
    assertThat(written).content().contains("12.50");
    Files.delete(written);
    Path file =
        Files.writeString(folder.resolve("marked.json"), ORDER.replace("4111", "\"[redacted]\""));
    assertRefused(refusal, "replay", id, "--payload-file", file.toString(), "--dry-run");
    assertRefused(refusal, "replay", id, "--payload-file", file.toString(), "--yes");
    assertThat(place.run("dlq", "show", id, "--json")).isZero();
    assertThat(place.json().get("version").asInt()).as("nothing is stored").isZero();

    Files.writeString(file, ORDER);
    assertThat(place.run("dlq", "replay", id, "--payload-file", file.toString(), "--dry-run"))
        .as(place.err)
        .isZero();
    assertThat(place.err)
        .contains(
            "Headers that were blanked out before they were stored are left out of 1 copy:"
                + " Authorization.");
    replay(ExitCode.FINE, id, "--payload-file", file.toString(), "--wait");
    assertThat(runs)
        .singleElement()
        .satisfies(
            run -> {
              assertThat(run.data()).isEqualTo(ORDER.getBytes(UTF_8));
              assertThat(run.headers().first("Authorization")).isEmpty();
              assertThat(run.headers().first("Trace")).contains("t-1");
            });
  }

  @Test
  void a_mark_goes_out_when_somebody_insists() throws Exception {
    String id = die(Redaction.of(List.of(), List.of("$.card")));
    place.env.put("EDITOR", "sed -i s/12,50/12.50/");
    assertThat(place.run("dlq", "edit", id, "--force")).as(place.err).isZero();
    replay(ExitCode.FINE, id, "--wait");
    assertThat(runs)
        .extracting(run -> new String(run.data(), UTF_8))
        .containsExactly("{\"card\": \"[redacted]\",\n \"amount\": \"12.50\"}");
  }

  @Test
  void what_is_not_open_is_refused_before_an_editor_opens() throws Exception {
    String id = die(Redaction.NONE);
    assertThat(place.run("dlq", "discard", id, "--because", "a test")).as(place.err).isZero();
    Path opened = folder.resolve("opened");
    place.env.put("EDITOR", "touch " + opened + " #");
    assertThat(place.run("dlq", "edit", id)).isEqualTo(ExitCode.FAILED);
    assertThat(place.err).contains("cannot be edited: it is discarded by ").hasLineCount(1);
    assertThat(opened).doesNotExist();
  }

  private void edit(String script, String id) {
    place.env.put("EDITOR", "sed -i '" + script + "'");
    assertThat(place.run("dlq", "edit", id, "--as", "ann@host")).as(place.err).isZero();
  }

  private void replay(int exitCode, String... options) {
    try (ContrailConsumer worker = place.worker("billing", runs::add)) {
      String[] command = new String[options.length + 3];
      command[0] = "dlq";
      command[1] = "replay";
      command[2] = "--yes";
      System.arraycopy(options, 0, command, 3, options.length);
      assertThat(place.run(command)).as(place.err).isEqualTo(exitCode);
    }
  }

  private void assertRefused(String sentence, String... arguments) {
    String[] command = new String[arguments.length + 1];
    command[0] = "dlq";
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    assertThat(place.run(command)).as(place.err).isEqualTo(ExitCode.USAGE);
    assertThat(place.err).startsWith("contrail: ").contains(sentence).hasLineCount(1);
    assertThat(place.out).isEmpty();
  }

  private String die(Redaction stored) throws Exception {
    Headers headers = new Headers().add("Authorization", "Bearer 7").add("Trace", "t-1");
    place.connection.jetStream().publish("orders.new", headers, ORDER.getBytes(UTF_8));
    try (ContrailConsumer rejecting =
        Contrail.consumer(place.connection, "ORDERS", "billing")
            .ackWait(Duration.ofSeconds(2))
            .redactDeadLetters(stored)
            .handler(
                delivery -> {
                  throw new RejectedMessageException("told to");
                })
            .start()) {
      await().atMost(DeadLetterPlace.SOON).until(() -> rejecting.status().counts().dead() == 1);
    }
    return place.entries().get(0).get("id").asString();
  }
}
