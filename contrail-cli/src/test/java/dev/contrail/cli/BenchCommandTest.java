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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code contrail bench} against a real server, with as few messages as make sense. */
class BenchCommandTest extends CommandTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  private NatsServer server;

  @BeforeEach
  void open() {
    server = NatsServer.start();
    env.put("NATS_URL", server.url());
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void measures_all_contenders_and_tells_it_in_json_and_in_files() throws Exception {
    assertThat(run("bench", "--quick", "--rounds", "2", "--messages", "200", "--json"))
        .as(err)
        .isEqualTo(ExitCode.FINE);

    JsonNode report = new JsonMapper().readTree(out);
    assertThat(report.get("ledgerRatio").asDouble()).isPositive();
    assertThat(report.get("redisRatio").asDouble()).isPositive();
    assertThat(report.get("perMessageRedisRatio").asDouble()).isPositive();
    assertThat(report.at("/conditions/serverVersion").asString())
        .isEqualTo(server.version().toString());
    assertThat(report.at("/conditions/cores").asInt()).isPositive();
    assertThat(report.at("/options/rounds").asInt()).isEqualTo(2);
    assertThat(ids(report.get("throughput").get(0).get("entries")))
        .containsExactly("a", "b", "c", "d", "e", "f");
    assertThat(report.at("/throughput/0/entries/2/rounds")).hasSize(2);
    assertThat(report.at("/throughput/0/entries/2/perSecond/median").asDouble()).isPositive();
    assertThat(report.get("leftOut")).isEmpty();
    assertThat(report.at("/latency/entries/2/added/p99").isNumber()).isTrue();
    assertThat(report.at("/heap/messages").asInt()).isEqualTo(400);
    assertThat(report.at("/start/completions").asInt()).isEqualTo(200);
    assertThat(report.at("/ledgerSizes/0/lookUpNanos").asDouble()).isPositive();
    assertThat(report.get("aims")).isNotEmpty();
    assertThat(err).contains("round 2 of 2");
    assertThat(written(".json")).singleElement().satisfies(this::isTheSameJson);
    assertThat(written(".svg"))
        .singleElement()
        .satisfies(file -> assertThat(file).content().startsWith("<svg"));
    assertThat(streams()).as("streams left behind").isEmpty();
  }

  @Test
  void without_redis_the_rest_is_measured_and_what_is_left_out_is_said() throws Exception {
    assertThat(run("bench", "--quick", "--rounds", "1", "--messages", "100", "--redis", "none"))
        .as(err)
        .isEqualTo(ExitCode.FINE);

    assertThat(out)
        .contains(
            "(c)  Contrail, JetStream ledger",
            "(d) Contrail, Redis ledger is left out: --redis none",
            "(e) bare client, Redis EXISTS + SET is left out: --redis none")
        .doesNotContain("(d)  Contrail");
    assertThat(streams()).as("streams left behind").isEmpty();
  }

  @Test
  void a_redis_that_is_not_there_is_told_before_anything_is_measured() throws Exception {
    assertThat(run("bench", "--quick", "--redis", "redis://:secret@127.0.0.1:1"))
        .isEqualTo(ExitCode.NO_SERVER);
    assertThat(err).contains("no Redis server at redis://127.0.0.1:1").doesNotContain("secret");
    assertThat(run("bench", "--quick", "--redis", "redis://:se^cret@127.0.0.1:1"))
        .isNotEqualTo(ExitCode.FINE);
    assertThat(err).contains("Redis").doesNotContain("se^cret");
    assertThat(streams()).as("streams left behind").isEmpty();
  }

  @Test
  void a_folder_that_cannot_be_written_to_is_refused_before_anything_is_measured()
      throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");

    assertThat(run("bench", "--quick", "--out", file.toString())).isEqualTo(ExitCode.USAGE);
    assertThat(err).contains("--out: '" + file + "' is no folder");
  }

  @Test
  void ctrl_c_ends_it_and_leaves_no_stream_behind() throws Exception {
    Process bench =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "bench",
                "--quick",
                "-s",
                server.url())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile())
            .start();
    try {
      await().atMost(SOON).until(() -> !streams().isEmpty());

      new ProcessBuilder("kill", "-INT", Long.toString(bench.pid())).start().waitFor();

      assertThat(bench.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).as("ended in time").isTrue();
      assertThat(streams())
          .as("streams left behind; it said:\n" + Files.readString(folder.resolve("output")))
          .isEmpty();
    } finally {
      bench.destroyForcibly().waitFor();
    }
  }

  private List<String> streams() throws Exception {
    try (Connection connection = Contrail.connect(server.url())) {
      return connection.jetStreamManagement().getStreamNames();
    }
  }

  private List<Path> written(String ending) throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().matches("bench-.*\\" + ending))
          .toList();
    }
  }

  private void isTheSameJson(Path file) {
    assertThat(new JsonMapper().readTree(file.toFile())).isEqualTo(new JsonMapper().readTree(out));
  }

  private static List<String> ids(JsonNode entries) {
    return entries.valueStream().map(entry -> entry.get("id").asString()).toList();
  }
}
