package dev.contrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.output.Terminal;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.nio.file.Files;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code contrail doctor} as a person and as a script see it. */
class DoctorCommandTest extends CommandTest {
  private static NatsServer server;
  private static Connection connection;

  @BeforeAll
  static void start() throws Exception {
    server = NatsServer.builder().monitoring(true).start();
    connection = Contrail.connect(server.url());
  }

  @AfterAll
  static void stop() throws Exception {
    connection.close();
    server.close();
  }

  /** A stream with one error and one warning. */
  @BeforeEach
  void make_it_unsound() throws Exception {
    for (String stream : connection.jetStreamManagement().getStreamNames()) {
      connection.jetStreamManagement().deleteStream(stream);
    }
    connection
        .jetStreamManagement()
        .addStream(
            StreamConfiguration.builder()
                .name("ORDERS")
                .subjects("orders.>")
                .retentionPolicy(RetentionPolicy.WorkQueue)
                .discardPolicy(DiscardPolicy.Old)
                .maxBytes(1_000_000)
                .build());
    try (ContrailConsumer unused =
        Contrail.consumer(connection, "ORDERS", "billing").handler(order -> {}).start()) {
      connection
          .jetStreamManagement()
          .addOrUpdateConsumer(
              "ORDERS",
              ConsumerConfiguration.builder(
                      connection
                          .jetStreamManagement()
                          .getConsumerInfo("ORDERS", "billing")
                          .getConsumerConfiguration())
                  .maxDeliver(5)
                  .build());
    }
  }

  private int doctor(String... more) {
    String[] all = {"doctor", "-s", server.url(), "--over", "50ms", "--sync-interval", "always"};
    String[] args = Arrays.copyOf(all, all.length + more.length);
    System.arraycopy(more, 0, args, all.length, more.length);
    return run(args);
  }

  @Test
  void people_see_the_worst_first_with_the_command_that_mends_it() {
    assertThat(doctor()).isEqualTo(ExitCode.FAILED);
    assertThat(out)
        .isEqualTo(
            """
            ORDERS / billing
              ERROR  CT002  MaxDeliver is 5.
                            At or below the delivery limit of 100 the server may strand a message before its dead letter is written.
                            $ nats consumer edit ORDERS billing --max-deliver=-1
                            docs/doctor/CT002.md

            ORDERS
              WARN   CT027  Retention is workqueue and discard is old, with max bytes 976.6 KiB.
                            With discard old the limit deletes work that nobody has done; with discard new the publisher is told.
                            $ nats stream edit ORDERS --discard=new
                            docs/doctor/CT027.md

            1 error, 1 warning in 1 stream and 1 consumer on nats-server %s.
            """
                .formatted(server.version()));
    assertThat(err).isEmpty();
  }

  @Test
  void on_a_terminal_lines_fit_it_and_only_commands_are_longer() {
    terminal = new Terminal(true, true, 60, true);
    assertThat(doctor()).isEqualTo(ExitCode.FAILED);
    assertThat(out).contains("\u001B[1;31mERROR\u001B[0m", "\u001B[33mWARN \u001B[0m");
    assertThat(out.replaceAll("\u001B\\[[0-9;]*m", "").lines())
        .filteredOn(line -> !line.contains("$ ") && !line.contains("nats-server"))
        .allMatch(line -> line.length() <= 60);
  }

  @Test
  void scripts_read_the_same() {
    assertThat(doctor("--json")).isEqualTo(ExitCode.FAILED);
    JsonNode answer = JsonMapper.shared().readTree(out);
    assertThat(answer.propertyNames())
        .containsExactly(
            "server", "streams", "consumers", "errors", "warnings", "findings", "notChecked");
    assertThat(answer.get("errors").asInt()).isEqualTo(1);
    assertThat(answer.get("warnings").asInt()).isEqualTo(1);
    JsonNode first = answer.get("findings").get(0);
    assertThat(first.propertyNames())
        .containsExactly(
            "code", "severity", "title", "stream", "consumer", "found", "why", "mend", "page");
    assertThat(first.get("code").asString()).isEqualTo("CT002");
    assertThat(first.get("severity").asString()).isEqualTo("error");
    assertThat(answer.get("findings").get(1).get("consumer").isNull()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "'', 1",
    "--fail-on never, 0",
    "--skip CT002, 0",
    "--skip CT002 --fail-on warn, 1",
    "'--skip CT002,ct027 --fail-on warn', 0"
  })
  void the_exit_code_follows_what_is_shown(String flags, int code) {
    assertThat(doctor(flags.isEmpty() ? new String[0] : flags.split(" ", -1))).isEqualTo(code);
    if (flags.contains("ct027")) {
      assertThat(out).startsWith("No findings in 1 stream and 1 consumer");
    }
  }

  @Test
  void what_is_skipped_always_stands_in_the_settings() throws Exception {
    Files.writeString(folder.resolve("contrail.yaml"), "doctor:\n  skip: CT002,CT027\n");
    assertThat(doctor("--fail-on", "warn")).isZero();
  }

  @Test
  void the_ttl_of_a_ledger_in_redis_is_judged_by_its_own_rule() {
    doctor("--skip", "CT002,CT027", "--dedup-ttl", "2h");
    assertThat(out).contains("ERROR  CT001  The Redis ledger forgets a completion after 2h");
    assertThat(doctor("--skip", "CT002,CT027", "--dedup-ttl", "24h")).isZero();
  }

  @Test
  void the_monitoring_page_tells_the_sync_interval_from_2_10_on() {
    run(
        "doctor",
        "-s",
        server.url(),
        "--over=50ms",
        "--monitor",
        server.monitoringUri().orElseThrow().toString());
    boolean old = server.version().toString().startsWith("2.9.");
    assertThat(out).contains(old ? "not checked: sync_interval" : "CT051  Sync_interval is 2m");
    assertThat(run("doctor", "-s", server.url(), "--monitor", "http://127.0.0.1:1"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(err).contains("The page http://127.0.0.1:1/varz cannot be read");
  }

  @ParameterizedTest
  @CsvSource({
    "--skip=CT999, CT999",
    "--fail-on=info, info",
    "--over=soon, soon",
    "--monitor=ftp://here, ftp://here",
    "--bounded=yes, --advise"
  })
  void a_wrong_value_gets_one_sentence(String flag, String named) {
    assertThat(doctor(flag)).isEqualTo(ExitCode.USAGE);
    assertThat(err.lines().toList()).hasSizeLessThanOrEqualTo(2);
    assertThat(err).startsWith("contrail: ").contains(named);
  }

  @Test
  void a_stream_that_is_not_there_is_said_to_be() {
    assertThat(doctor("NOTHING")).isEqualTo(ExitCode.FAILED);
    assertThat(err).isEqualTo("contrail: There is no stream NOTHING.\n");
  }

  @Test
  void advice_needs_no_server_and_creates_what_it_says() {
    assertThat(
            run(
                "doctor",
                "--advise",
                "--name=JOBS",
                "--waits-for-worker=yes",
                "--readers=one",
                "--max-bytes=2GiB"))
        .isZero();
    assertThat(out)
        .contains("Retention is workqueue: work waits for a worker that is yet to come")
        .endsWith(
            "nats stream add JOBS --subjects='jobs.>' --storage=file --retention=work"
                + " --discard=new --max-age=-1 --max-msgs=-1 --max-msgs-per-subject=-1"
                + " --max-bytes=2147483648 --max-msg-size=-1 --dupe-window=2m --no-allow-direct"
                + " --replicas=1 --defaults\n");
    assertThat(
            run(
                "doctor",
                "--advise",
                "--waits-for-worker=no",
                "--may-vanish=yes",
                "--bounded=no",
                "--json"))
        .isZero();
    JsonNode answer = JsonMapper.shared().readTree(out);
    assertThat(answer.get("retention").asString()).isEqualTo("interest");
    assertThat(answer.get("command").asString()).startsWith("nats stream add STREAM ");
  }

  @ParameterizedTest
  @CsvSource({
    "'', --waits-for-worker",
    "--waits-for-worker=yes, --readers",
    "--waits-for-worker=no, --may-vanish",
    "--waits-for-worker=yes --may-vanish=yes, contradict",
    "--waits-for-worker=yes --readers=one --bounded=no --max-age=1h, contradict",
    "--waits-for-worker=yes --readers=one --max-bytes=much, much"
  })
  void without_a_terminal_every_answer_is_a_flag(String flags, String named) {
    String[] given = ("doctor --advise " + flags).strip().split(" ", -1);
    assertThat(run(given)).isEqualTo(ExitCode.USAGE);
    assertThat(err).startsWith("contrail: ").contains(named);
    assertThat(out).isEmpty();
  }
}
