package dev.contrail.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.jetstream.Contrail;
import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code contrail drill} with real workers that are really killed, and few messages. */
@Tag("slow")
class DrillCommandTest extends CommandTest {
  private static final Duration SOON = Duration.ofMinutes(3);
  private static final List<String> SCENARIOS =
      List.of(
          "evidence",
          "ack",
          "downtime",
          "restart",
          "slow",
          "frozen",
          "full",
          "ledger",
          "poison",
          "replay");

  @Test
  void one_round_of_every_scenario_keeps_every_promise() throws Exception {
    assertThat(run("drill", "--quick", "--messages", "24", "--json")).as(err).isZero();

    JsonNode report = new JsonMapper().readTree(out);
    assertThat(report.get("version").asInt()).isEqualTo(1);
    assertThat(report.get("verdict").asString()).isEqualTo("KEPT");
    assertThat(report.get("embedded").asBoolean()).isTrue();
    assertThat(names(report)).containsExactlyElementsOf(SCENARIOS);
    for (JsonNode scenario : report.get("scenarios")) {
      String name = scenario.get("scenario").asString();
      assertThat(scenario.get("verdict").asString()).as(name).isEqualTo("KEPT");
      assertThat(scenario.get("lost").asInt()).as(name).isZero();
      assertThat(scenario.get("faults").asInt()).as(name).isPositive();
      assertThat(scenario.get("timeline")).as(name).isNotEmpty();
      assertThat(
              scenario.get("processed").asInt()
                  + scenario.get("dead").asInt()
                  + scenario.get("resolved").asInt())
          .as(name)
          .isEqualTo(scenario.get("messages").asInt());
    }
    JsonNode head = report.get("head");
    assertThat(head.get("ackWaitMillis").asLong()).isEqualTo(2_000);
    assertThat(head.get("effectiveAckWaitMillis").asLong()).isEqualTo(3_600_000);
    assertThat(head.get("ledgerMaxAgeMillis").asLong()).as("no TTL").isZero();
    assertThat(head.at("/recordAgeMillis/most").asLong())
        .as("age of the oldest record that an ack relied on, after the downtime")
        .isGreaterThan(4_000);
    assertThat(head.get("kills").asInt()).isGreaterThanOrEqualTo(12);
    assertThat(head.at("/recoveryMillis/count").asInt()).isPositive();
    isWritten();
  }

  private void isWritten() throws Exception {
    assertThat(written(".json"))
        .satisfies(
            file ->
                assertThat(new JsonMapper().readTree(file.toFile()))
                    .isEqualTo(new JsonMapper().readTree(out)));
    assertThat(written(".md")).content().contains("| evidence | 3 |", "messages lost: 0");
    assertThat(written(".html"))
        .content()
        .startsWith("<!doctype html>")
        .contains("Every promise was kept", "<svg", "prefers-color-scheme: dark")
        .doesNotContain("<link", "<script", "http-equiv");
  }

  @ParameterizedTest
  @CsvSource({
    "term-first, evidenceLost, without a dead letter",
    "ack-first, lost, no handler has done it",
    "ttl, duplicates/afterRecord, was recorded"
  })
  void wrong_orders_are_caught_with_an_example(String order, String field, String example)
      throws Exception {
    assertThat(run("drill", "--naive", order, "--quick", "--messages", "8", "--json"))
        .as(err)
        .isEqualTo(ExitCode.FAILED);

    JsonNode result = new JsonMapper().readTree(out).at("/scenarios/0");
    assertThat(result.at("/" + field).asInt()).as(out).isEqualTo(1);
    assertThat(result.at("/breaches/0/example").asString()).contains("sequence", example);
  }

  @Test
  void a_worker_of_ones_own_is_drilled_as_far_as_it_can_be_known() throws Exception {
    Path script =
        Files.writeString(
            folder.resolve("worker.sh"),
            "exec '%s' -XX:TieredStopAtLevel=1 -cp '%s' %s work \"$DRILL_STREAM\" \"$DRILL_CONSUMER\" \\\n"
                    .formatted(java(), System.getProperty("java.class.path"), Main.class.getName())
                + "  --exec 'echo \"start $CONTRAIL_SEQUENCE\" >>\"$DRILL_RUNS\";"
                + " echo \"done $CONTRAIL_SEQUENCE\" >>\"$DRILL_RUNS\"'\n");

    assertThat(run("drill", "--own", "sh " + script, "--kills", "1", "--messages", "12", "--json"))
        .as(out + err)
        .isZero();

    JsonNode result = new JsonMapper().readTree(out).at("/scenarios/0");
    assertThat(result.get("kills").asInt()).isEqualTo(1);
    assertThat(result.get("processed").asInt()).isEqualTo(result.get("messages").asInt());
    assertThat(result.get("runs").asInt()).isGreaterThanOrEqualTo(12);
    assertThat(result.get("notes").toString())
        .contains("completions are in Contrail's ledger", "Not known: whether anything was run");
  }

  @Test
  void a_worker_of_ones_own_that_ends_by_itself_is_told_with_its_last_words() {
    assertThat(run("drill", "--own", "echo no such customer; exit 7", "--kills", "1", "--quick"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(out).contains("the worker ended by itself; exit code 7; it said: no such customer");
  }

  @Test
  void on_a_named_server_it_uses_streams_of_its_own_and_leaves_none_behind() throws Exception {
    try (NatsServer server = NatsServer.start()) {
      assertThat(
              run(
                  "drill",
                  "--scenario",
                  "evidence",
                  "--scenario",
                  "restart",
                  "--quick",
                  "--messages",
                  "12",
                  "-s",
                  server.url()))
          .as(out + err)
          .isZero();
      assertThat(out)
          .contains("restart is skipped: it kills the server")
          .containsPattern("evidence +3 +[0-9]+ +0 +0 lost .* kept");
      assertThat(streams(server)).as("streams left behind").isEmpty();
    }
  }

  @Test
  void ctrl_c_ends_it_and_leaves_neither_streams_nor_workers_behind() throws Exception {
    try (NatsServer server = NatsServer.start()) {
      Path output = folder.resolve("output");
      Process drill =
          new ProcessBuilder(
                  java(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  Main.class.getName(),
                  "drill",
                  "-s",
                  server.url())
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      try {
        await().atMost(SOON).until(() -> drill.descendants().count() >= 3);
        List<ProcessHandle> workers = drill.descendants().toList();

        new ProcessBuilder("kill", "-INT", Long.toString(drill.pid())).start().waitFor();

        assertThat(drill.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).as("ended").isTrue();
        assertThat(streams(server))
            .as("streams left behind; it said:\n" + Files.readString(output))
            .isEmpty();
        assertThat(workers).as("workers left behind").noneMatch(ProcessHandle::isAlive);
      } finally {
        drill.destroyForcibly().waitFor();
      }
    }
  }

  @Test
  void lists_its_scenarios() {
    assertThat(run("drill", "--list")).isZero();
    assertThat(out).contains(SCENARIOS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "--scenario nonsense | 'nonsense' is no scenario; accepted are evidence, ack",
        "--kills 0           | '0' is out of range; accepted is 1 to 10000",
        "--messages few      | 'few' is no whole number",
        "--naive fast        | 'fast' is unknown; accepted are term-first, ack-first, ttl",
        "--ack-wait 10ms     | '10ms' is out of range",
        "--naive ttl --scenario ack | accepted is one of them",
        "--own true --naive ttl     | drilled alone",
        "--own=              | accepted is a command that starts a worker",
        "--seed x            | x"
      })
  void bad_input_is_refused_with_what_is_accepted(String arguments, String sentence) {
    assertThat(run(("drill " + arguments).split(" +", -1))).isEqualTo(ExitCode.USAGE);
    assertThat(err).contains(sentence).doesNotContain("\tat ");
  }

  @Test
  void a_folder_that_cannot_be_written_to_is_refused_before_anything_is_done() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertThat(run("drill", "--out", file.toString())).isEqualTo(ExitCode.USAGE);
    assertThat(err).contains("--out: '" + file + "' is no folder");
  }

  @Test
  void without_the_named_server_there_is_nothing_to_drill_on() {
    assertThat(run("drill", "-s", "nats://127.0.0.1:1")).isEqualTo(ExitCode.NO_SERVER);
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static List<String> names(JsonNode report) {
    return report.get("scenarios").valueStream().map(it -> it.get("scenario").asString()).toList();
  }

  private Path written(String ending) throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().matches("drill-.*\\" + ending))
          .findFirst()
          .orElseThrow();
    }
  }

  private static List<String> streams(NatsServer server) throws Exception {
    try (Connection connection = Contrail.connect(server.url())) {
      return connection.jetStreamManagement().getStreamNames();
    }
  }
}
