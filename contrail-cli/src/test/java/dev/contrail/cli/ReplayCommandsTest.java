package dev.contrail.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.Delivery;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.jetstream.ContrailConsumer;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.impl.Headers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code contrail dlq replay} and {@code contrail dlq plans} against a real server. */
class ReplayCommandsTest {
  private static final List<String> PLAN =
      List.of(
          "plan",
          "at",
          "by",
          "chosen",
          "to",
          "rate",
          "canary",
          "stopOnReturn",
          "maxReplays",
          "state",
          "stateAt",
          "stateBy",
          "why",
          "entries",
          "open",
          "replayed",
          "waiting",
          "unknown",
          "resolved",
          "inferred",
          "returned",
          "failed",
          "leftOut",
          "findings");

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init") // every test opens it first
  private DeadLetterPlace place;

  private final Queue<Delivery<byte[]>> runs = new ConcurrentLinkedQueue<>();

  private void open(RetentionPolicy retention) throws Exception {
    place = new DeadLetterPlace(folder, retention);
  }

  @AfterEach
  void close() throws Exception {
    place.close();
  }

  private ContrailConsumer worker() {
    return place.worker("billing", runs::add);
  }

  @Test
  void a_dry_run_tells_what_would_be_published_where_and_publishes_nothing() throws Exception {
    open(RetentionPolicy.WorkQueue);
    List<String> ids = place.die(2);

    assertThat(place.run("dlq", "replay", "--all", "--dry-run", "--json"))
        .as(place.err)
        .isEqualTo(ExitCode.FINE);
    assertThat(place.json().propertyNames()).containsExactly("planned", "leftOut", "warnings");
    assertThat(place.json().get("planned")).hasSize(2);
    JsonNode first = place.json().get("planned").get(0);
    assertThat(first.propertyNames())
        .containsExactly(
            "id",
            "version",
            "subject",
            "stream",
            "consumer",
            "messageId",
            "bytes",
            "outcome",
            "newestVersion");
    String id = first.get("id").asString();
    assertThat(ids).contains(id);
    assertThat(first.get("subject").asString()).isEqualTo("orders.new");
    assertThat(first.get("stream").asString()).isEqualTo("ORDERS");
    assertThat(first.get("consumer").asString()).isEqualTo("billing");
    assertThat(first.get("messageId").asString()).isEqualTo(id + "#1");
    assertThat(first.get("bytes").asInt()).isEqualTo("order 0".length());
    assertThat(first.get("outcome").asString()).isEqualTo("told");

    assertThat(place.run("dlq", "replay", "--all", "--dry-run", "--to", "orders.again"))
        .as(place.err)
        .isEqualTo(ExitCode.FINE);
    assertThat(place.out)
        .contains(
            "orders.again",
            id + "#1",
            "Dry run: 2 copies to orders.again of ORDERS for billing would be");
    Path file = Files.writeString(folder.resolve("mended.json"), "mended");
    assertThat(
            place.run(
                "dlq", "replay", id, "--payload-file", file.toString(), "--dry-run", "--json"))
        .isEqualTo(ExitCode.FINE);
    JsonNode edited = place.json().get("planned").get(0);
    assertThat(edited.get("version").asInt()).isEqualTo(1);
    assertThat(edited.get("bytes").asInt()).isEqualTo(6);
    assertThat(edited.get("messageId").asString()).as("after the edit").isEqualTo(id + "#2");
    assertThat(place.published()).isEqualTo(2);
    assertThat(place.run("dlq", "plans", "ls")).isEqualTo(ExitCode.FINE);
    assertThat(place.out).isEqualTo("No replays.\n");
  }

  @Test
  void a_group_is_replayed_and_waited_for() throws Exception {
    open(RetentionPolicy.WorkQueue);
    place.die(3);
    String group = place.fingerprint();

    assertThat(place.run("dlq", "replay", "--group", group)).isEqualTo(ExitCode.USAGE);
    assertThat(place.err)
        .contains(
            "Publish 3 copies to orders.new of ORDERS for billing? There is nobody to ask here;"
                + " --yes does it without asking");
    assertThat(place.published()).as("without consent").isEqualTo(3);
    try (ContrailConsumer worker = worker()) {
      assertThat(
              place.run(
                  "dlq", "replay", "--group", group, "--yes", "--wait", "--as", "ann", "--json"))
          .as(place.err)
          .isEqualTo(ExitCode.FINE);
    }
    JsonNode plan = place.json();
    assertThat(plan.propertyNames()).containsExactlyElementsOf(PLAN);
    assertThat(plan.get("state").asString()).isEqualTo("finished");
    assertThat(plan.get("by").asString()).isEqualTo("ann");
    assertThat(plan.get("resolved").asInt()).isEqualTo(3);
    assertThat(plan.get("chosen").asString()).isEqualTo("all with the fingerprint " + group);
    assertThat(runs).hasSize(3);

    assertThat(place.run("dlq", "replay", "--group", group, "--yes")).isEqualTo(ExitCode.FINE);
    assertThat(place.out).startsWith("Nothing to replay: no open dead letter among all");
    assertThat(place.published()).isEqualTo(6);
    assertThat(place.run("dlq", "plans", "ls")).isEqualTo(ExitCode.FINE);
    assertThat(place.out).contains(plan.get("plan").asString(), "finished", "ann");
    assertThat(place.run("dlq", "plans", "cancel", plan.get("plan").asString()))
        .isEqualTo(ExitCode.FAILED);
    assertThat(place.err).contains("is finished already");

    place
        .connection
        .jetStream()
        .publish(
            "contrail.event._plan.20990101-000000-abc.head",
            new Headers().add("Contrail-Event-Version", "99"),
            new byte[0]);
    assertThat(place.run("dlq", "plans", "ls")).isEqualTo(ExitCode.FAILED);
    assertThat(place.out).contains(plan.get("plan").asString());
    assertThat(place.err)
        .isEqualTo(
            "contrail: The plan 20990101-000000-abc cannot be read: it has version 99, and this"
                + " release reads 1.\n");
  }

  @Test
  void the_same_id_is_replayed_once_however_often_it_is_asked_for() throws Exception {
    open(RetentionPolicy.WorkQueue);
    String id = place.die(1).get(0);

    assertThat(place.run("dlq", "replay", "--id", id, "--id", id, "--yes"))
        .as(place.err)
        .isEqualTo(ExitCode.FINE);
    assertThat(place.run("dlq", "replay", id, "--yes")).isEqualTo(ExitCode.FAILED);
    assertThat(place.err).contains(id + " is left out: it is being replayed in plan ");
    assertThat(place.out).isEqualTo("Nothing to replay: all that was chosen is left out.\n");
    assertThat(place.published()).isEqualTo(2);
    try (ContrailConsumer worker = worker()) {
      await().atMost(DeadLetterPlace.SOON).until(() -> runs.size() == 1);
      await()
          .atMost(DeadLetterPlace.SOON)
          .until(
              () -> {
                place.run("dlq", "replay", id, "--yes");
                return place.err.contains("it is resolved");
              });
    }
    assertThat(place.published()).isEqualTo(2);
    assertThat(runs).hasSize(1);
  }

  @Test
  void two_processes_that_replay_one_group_publish_each_entry_once() throws Exception {
    open(RetentionPolicy.WorkQueue);
    int all = 300;
    place.die(all);
    Path first = folder.resolve("first.txt");
    Path second = folder.resolve("second.txt");
    String[] command = {"dlq", "replay", "--all", "--yes", "--rate", "200/s", "--json"};
    List<Process> both = List.of(place.start(first, command), place.start(second, command));
    for (Process process : both) {
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    }

    assertThat(place.published())
        .as("%s%s", Files.readString(first), Files.readString(second))
        .isEqualTo(2L * all);
    try (ContrailConsumer worker = worker()) {
      await().atMost(DeadLetterPlace.SOON).until(() -> runs.size() >= all);
    }
    Set<String> keys = new TreeSet<>();
    runs.forEach(run -> keys.add(run.idempotencyKey()));
    assertThat(keys).hasSize(all);
    assertThat(runs).hasSize(all);
  }

  @Test
  void ctrl_c_stops_between_two_messages_and_resuming_finishes() throws Exception {
    open(RetentionPolicy.WorkQueue);
    int all = 100;
    place.die(all);
    Path output = folder.resolve("out.txt");
    Process process =
        place.start(output, "dlq", "replay", "--all", "--yes", "--rate", "20/s", "--json");
    await().atMost(DeadLetterPlace.SOON).until(() -> place.published() > all + 5);
    new ProcessBuilder("sh", "-c", "kill -s INT " + process.pid()).start().waitFor();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(Files.readString(output)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(output)).isEqualTo(ExitCode.FAILED);

    assertThat(place.run("dlq", "plans", "ls", "--json")).isEqualTo(ExitCode.FINE);
    String plan = place.json().get(0).get("plan").asString();
    assertThat(place.json().get(0).get("state").asString()).isEqualTo("cancelled");
    assertThat(place.run("dlq", "plans", "show", plan, "--json")).isEqualTo(ExitCode.FAILED);
    JsonNode stopped = place.json();
    int replayed = stopped.get("replayed").asInt();
    assertThat(replayed).isBetween(1, all - 1).isEqualTo((int) place.published() - all);
    assertThat(replayed + stopped.get("open").asInt()).isEqualTo(all);

    assertThat(place.run("dlq", "plans", "resume", plan)).isEqualTo(ExitCode.USAGE);
    assertThat(place.err).contains("There is nobody to ask here");
    try (ContrailConsumer worker = worker()) {
      // At the rate of the plan it would take its time; the rest goes at it all the same.
      assertThat(place.run("dlq", "plans", "resume", plan, "--yes", "--wait"))
          .as(place.err)
          .isEqualTo(ExitCode.FINE);
    }
    assertThat(place.out).contains("is finished", all + " of " + all + " replayed");
    assertThat(place.published()).isEqualTo(2L * all);
    assertThat(runs).hasSize(all);
  }

  @Test
  void a_poison_group_stops_after_the_canary_and_says_so() throws Exception {
    open(RetentionPolicy.WorkQueue);
    place.die(20);
    try (ContrailConsumer poisoned = place.rejecting("billing")) {
      assertThat(place.run("dlq", "replay", "--all", "--canary", "3", "--yes"))
          .isEqualTo(ExitCode.FAILED);
    }
    assertThat(place.err).contains("Waiting for the outcome of the first 3.");
    assertThat(place.out)
        .containsPattern("Plan \\S+ stopped: .*came back")
        // What became of the others may not be known by then.
        .containsPattern("3 of 20 replayed \\(\\d came back.*\\), 17 open[.]")
        .contains("goes on with it.");
    assertThat(place.published()).isEqualTo(23);

    try (ContrailConsumer poisoned = place.rejecting("billing")) {
      assertThat(
              place.run(
                  "dlq",
                  "replay",
                  "--all",
                  "--canary",
                  "2",
                  "--no-stop-on-return",
                  "--yes",
                  "--wait",
                  "--json"))
          .isEqualTo(ExitCode.FAILED);
    }
    assertThat(place.json().get("stopOnReturn").asBoolean()).isFalse();
    assertThat(place.json().get("returned").asInt()).as("all that were open").isEqualTo(20);
  }

  @Test
  void others_who_see_the_copies_are_named_before_anything_is_asked() throws Exception {
    open(RetentionPolicy.Limits);
    place.management.addOrUpdateConsumer(
        "ORDERS", ConsumerConfiguration.builder().durable("mail").build());
    String id = place.die(1).get(0);

    assertThat(place.run("dlq", "replay", id)).isEqualTo(ExitCode.USAGE);
    assertThat(place.err)
        .contains(
            "Consumers of ORDERS that are not known to be run by Contrail will see the copies too:"
                + " mail.");
    assertThat(place.published()).isEqualTo(1);
  }

  @Test
  void bad_input_gets_one_sentence_and_publishes_nothing() throws Exception {
    open(RetentionPolicy.WorkQueue);
    String id = place.die(1).get(0);
    String unknown = id.replaceFirst("[0-9]+$", "4711");

    assertRefused(
        "there is no dead letter " + unknown + "; contrail dlq ls lists them",
        "replay",
        id,
        unknown,
        "--yes");
    assertRefused("'nonsense' is no id of a dead letter;", "replay", "nonsense", "--yes");
    assertRefused(
        "--rate: '0' is no rate; accepted are such as 100/s", "replay", id, "--rate", "0");
    assertRefused("--rate: 'fast' is no rate;", "replay", id, "--rate", "fast");
    assertRefused("--canary: '-1' is out of range", "replay", id, "--canary", "-1");
    assertRefused("--max-replays: '0' is out of range", "replay", id, "--max-replays", "0");
    assertRefused(
        "--reason: 'bad' is no reason that messages die for;",
        "replay",
        "--reason",
        "bad",
        "--yes");
    assertRefused("--to: 'orders.>' is no subject to publish to", "replay", id, "--to", "orders.>");
    assertRefused(
        "--to: 'contrail.dlq.x' is Contrail's own", "replay", id, "--to", "contrail.dlq.x");
    assertRefused("which dead letters? Accepted are ids", "replay", "--yes");
    assertRefused("an id names one dead letter", "replay", id, "--all", "--yes");
    assertRefused("no dead letter has the fingerprint nope", "replay", "--group", "nope", "--yes");
    assertRefused(
        "--payload-file: 'none.json' cannot be read: there is no such file",
        "replay",
        id,
        "--payload-file",
        "none.json",
        "--yes");
    assertRefused(
        "cannot be read: it is a folder",
        "replay",
        id,
        "--payload-file",
        folder.toString(),
        "--yes");
    assertRefused(
        "--payload-file is for one dead letter", "replay", "--all", "--payload-file", "x", "--yes");
    assertRefused("there is no plan p1;", "plans", "show", "p1");
    assertRefused("'a.b' is no plan;", "plans", "resume", "a.b", "--yes");
    assertRefused("there is no dead letter " + unknown, "discard", unknown, "--because", "x");
    assertRefused("missing required option: '--because", "discard", id);
    assertRefused("--because: ' ' is no reason", "discard", id, "--because", " ");
    assertRefused("--older-than: '3 weeks'", "purge", "--older-than", "3 weeks", "--yes");
    assertRefused("missing required option: '--older-than", "purge", "--yes");
    assertRefused("there is no dead letter " + unknown, "note", unknown, "text");
    assertRefused("which editor? Set EDITOR", "edit", id);

    assertThat(place.published()).isEqualTo(1);
    assertThat(place.run("dlq", "plans", "ls", "--json")).isEqualTo(ExitCode.FINE);
    assertThat(place.json()).isEmpty();
    assertThat(place.run("dlq", "replay", id, "--yes")).as(place.err).isEqualTo(ExitCode.FINE);
  }

  private void assertRefused(String sentence, String... arguments) {
    List<String> all = new ArrayList<>(List.of("dlq"));
    all.addAll(List.of(arguments));
    assertThat(place.run(all.toArray(String[]::new))).as(place.err).isEqualTo(ExitCode.USAGE);
    assertThat(place.err).startsWith("contrail: ").contains(sentence).hasLineCount(1);
    assertThat(place.out).isEmpty();
  }

  @Test
  void an_edited_payload_is_replayed_and_the_original_stays() throws Exception {
    open(RetentionPolicy.WorkQueue);
    List<String> ids = place.die(2);
    place.env.put("EDITOR", "sed -i s/order/mended/");

    assertThat(place.run("dlq", "edit", ids.get(0))).as(place.err).isEqualTo(ExitCode.FINE);
    assertThat(place.out)
        .containsPattern("-order [01]\n\\+mended [01]\nStored as version 1; contrail dlq replay ");
    place.env.put("EDITOR", "true");
    assertThat(place.run("dlq", "edit", ids.get(0), "--json")).isEqualTo(ExitCode.FINE);
    assertThat(place.json().get("changed").asBoolean()).isFalse();
    place.env.put("EDITOR", "exit 3 #");
    assertThat(place.run("dlq", "edit", ids.get(0))).isEqualTo(ExitCode.FAILED);
    assertThat(place.err).contains("ended with 3, and nothing was changed").hasLineCount(1);

    Path file = Files.writeString(folder.resolve("new.json"), "from a file");
    try (ContrailConsumer worker = worker()) {
      assertThat(place.run("dlq", "replay", ids.get(0), "--yes", "--wait"))
          .as(place.err)
          .isEqualTo(ExitCode.FINE);
      assertThat(
              place.run(
                  "dlq",
                  "replay",
                  "--id",
                  ids.get(1),
                  "--payload-file",
                  file.toString(),
                  "--yes",
                  "--wait"))
          .as(place.err)
          .isEqualTo(ExitCode.FINE);
    }
    assertThat(runs)
        .extracting(run -> new String(run.data(), UTF_8).replaceFirst("[01]$", "N"))
        .containsExactlyInAnyOrder("mended N", "from a file");
    assertThat(runs).allMatch(run -> run.idempotencyKey().endsWith(".v1"));
    assertThat(place.run("dlq", "show", ids.get(0), "--json")).isEqualTo(ExitCode.FINE);
    assertThat(place.json().get("payloadText").asString()).startsWith("order ");
  }

  @Test
  void what_is_decided_beside_replays_is_written_down_and_purged_only_when_closed_and_old()
      throws Exception {
    open(RetentionPolicy.WorkQueue);
    List<String> ids = place.die(3);

    assertThat(place.run("dlq", "discard", ids.get(0), "--because", "a test", "--json"))
        .as(place.err)
        .isEqualTo(ExitCode.FINE);
    assertThat(place.json().get("discarded").get(0).asString()).isEqualTo(ids.get(0));
    assertThat(place.json().get("refused")).isEmpty();
    assertThat(place.run("dlq", "discard", ids.get(0), "--because", "again", "--as", "bob"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(place.out).contains("0 dead letters discarded, 1 not.", "it is discarded by ");
    assertThat(place.run("dlq", "restore", ids.get(0))).as(place.err).isEqualTo(ExitCode.FINE);
    assertThat(place.run("dlq", "note", ids.get(0), "call José")).isEqualTo(ExitCode.FINE);
    assertThat(place.run("dlq", "discard", "--all", "--because", "all tests"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(place.err).contains("Discard 3 dead letters, all? There is nobody to ask here");
    assertThat(place.run("dlq", "discard", ids.get(0), ids.get(1), "--because", "tests"))
        .as(place.err)
        .isEqualTo(ExitCode.FINE);

    assertThat(place.run("dlq", "purge", "--older-than", "1d", "--yes")).isEqualTo(ExitCode.FINE);
    assertThat(place.out).contains("0 dead letters purged; 3 others left as they are.");
    assertThat(place.run("dlq", "purge", ids.get(0), "--older-than", "1d", "--yes"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(place.out).contains("not longer than 1d ago");
    assertThat(place.run("dlq", "purge", "--older-than", "0s")).isEqualTo(ExitCode.USAGE);
    assertThat(place.err).contains("Delete 2 dead letters for good, all older than 0s?");
    assertThat(place.entries()).hasSize(3);
    assertThat(place.run("dlq", "purge", "--older-than", "0s", "--yes", "--json"))
        .as(place.err)
        .isEqualTo(ExitCode.FINE);
    assertThat(place.json().get("purged")).hasSize(2);
    assertThat(place.entries()).hasSize(1);
    assertThat(place.run("dlq", "purge", "--older-than", "0s", ids.get(2), "--yes"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(place.out).contains("it is open; --force does it all the same");
    assertThat(place.run("dlq", "purge", "--older-than", "0s", "--force", "--yes"))
        .isEqualTo(ExitCode.FINE);
    assertThat(place.entries()).isEmpty();
  }
}
