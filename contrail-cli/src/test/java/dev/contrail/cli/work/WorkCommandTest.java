package dev.contrail.cli.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.jetstream.Contrail;
import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamInfo;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code contrail work} as a process against a real server. */
@Timeout(180)
final class WorkCommandTest {
  private final Path folder;
  private final NatsServer server = NatsServer.start();
  private final Connection connection = Contrail.connect(server.url());
  private final List<WorkProcess> started = new ArrayList<>();

  WorkCommandTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @AfterEach
  void endAll() throws InterruptedException {
    started.forEach(WorkProcess::close);
    connection.close();
    server.close();
  }

  private WorkProcess work(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("work", "-s", server.url()));
    all.addAll(List.of(arguments));
    WorkProcess process = WorkProcess.start(folder, all.toArray(String[]::new));
    started.add(process);
    return process;
  }

  private WorkProcess workQueue(String script, String... more) throws Exception {
    List<String> all =
        new ArrayList<>(
            List.of("JOBS", "runner", "--create", "--subjects", "jobs", "--retention", "work"));
    all.addAll(List.of("--exec", script));
    all.addAll(List.of(more));
    return work(all.toArray(String[]::new)).awaitWorking();
  }

  private void publish(String... payloads) throws Exception {
    for (String payload : payloads) {
      connection.jetStream().publish("jobs", payload.getBytes(StandardCharsets.UTF_8));
    }
  }

  private StreamInfo stream(String name) throws Exception {
    JetStreamManagement management = connection.jetStreamManagement();
    return management.getStreamInfo(name);
  }

  private long messages(String name) throws Exception {
    return stream(name).getStreamState().getMsgCount();
  }

  private Path file(String name) {
    return folder.resolve(name);
  }

  @Test
  void messages_are_worked_through_and_a_signal_ends_it_in_order() throws Exception {
    WorkProcess work = workQueue("read m; echo $m >> done; test $m != bad || exit 65", "--json");
    publish("one", "two", "bad", "three");
    await().atMost(Duration.ofSeconds(30)).until(() -> messages("JOBS") == 0);
    assertThat(stream("JOBS").getConfiguration().getRetentionPolicy())
        .isEqualTo(RetentionPolicy.WorkQueue);
    assertThat(Files.readAllLines(file("done")))
        .containsExactlyInAnyOrder("one", "two", "bad", "three");
    assertThat(messages("CONTRAIL_DLQ")).isEqualTo(1);
    work.signal("TERM");
    assertThat(work.awaitExit()).as(work.err()).isEqualTo(ExitCode.FINE);
    assertThat(work.out()).contains("\"delivered\" : 4", "\"done\" : 3", "\"dead\" : 1");
  }

  @Test
  void what_runs_finishes_after_ctrl_c() throws Exception {
    WorkProcess work = workQueue("echo $$ > started; sleep 2; echo x >> done");
    publish("slow");
    await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(file("started")));
    work.signal("INT");
    assertThat(work.awaitExit()).as(work.err()).isEqualTo(ExitCode.FINE);
    assertThat(file("done")).hasContent("x");
    assertThat(messages("JOBS")).isZero();
    assertThat(work.err()).contains("finishing what runs, at most 30s", "1 done");
  }

  @Test
  void a_command_that_outlives_the_drain_timeout_is_ended_and_its_message_returned()
      throws Exception {
    WorkProcess work =
        workQueue("echo $$ > started.tmp; mv started.tmp started; sleep 300", "--drain-timeout=1s");
    publish("endless");
    await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(file("started")));
    long child = Long.parseLong(Files.readString(file("started")).strip());
    work.signal("TERM");
    assertThat(work.awaitExit()).as(work.err()).isEqualTo(ExitCode.FINE);
    assertThat(ProcessHandle.of(child).map(ProcessHandle::isAlive).orElse(false)).isFalse();
    assertThat(messages("JOBS")).as("the message is still there").isEqualTo(1);
    WorkProcess next = workQueue("echo x > again");
    // Well before AckWait, which is 30 s: it was returned, not left to expire.
    await().atMost(Duration.ofSeconds(20)).until(() -> messages("JOBS") == 0);
    assertThat(file("again")).hasContent("x");
    next.signal("TERM");
    assertThat(next.awaitExit()).isEqualTo(ExitCode.FINE);
  }

  @Test
  void a_second_signal_ends_it_at_once_and_its_commands_with_it() throws Exception {
    WorkProcess work = workQueue("echo $$ > started.tmp; mv started.tmp started; sleep 300");
    publish("endless");
    await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(file("started")));
    long child = Long.parseLong(Files.readString(file("started")).strip());
    work.signal("INT");
    await().atMost(Duration.ofSeconds(30)).until(() -> work.err().contains("finishing"));
    long start = System.nanoTime();
    work.signal("INT");
    assertThat(work.awaitExit()).as(work.err()).isEqualTo(130);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
    await().until(() -> !ProcessHandle.of(child).map(ProcessHandle::isAlive).orElse(false));
    assertThat(messages("JOBS")).isEqualTo(1);
  }

  @Test
  void what_was_done_is_not_run_again_and_is_counted() throws Exception {
    doThreeAndForgetTheConsumer();
    WorkProcess again = work("JOBS", "runner", "--exec", "cat >> done", "--json").awaitWorking();
    awaitAllAcknowledged();
    again.signal("TERM");
    assertThat(again.awaitExit()).as(again.err()).isEqualTo(ExitCode.FINE);
    assertThat(file("done")).hasContent("abc");
    assertThat(again.out()).contains("\"done\" : 0", "\"deduplicated\" : 3");
    assertThat(again.err()).doesNotContain("no ledger");

    connection.jetStreamManagement().deleteConsumer("JOBS", "runner");
    WorkProcess third = work("JOBS", "runner", "--exec", "cat >> done").awaitWorking();
    awaitAllAcknowledged();
    third.signal("TERM");
    assertThat(third.awaitExit()).as(third.err()).isEqualTo(ExitCode.FINE);
    assertThat(third.err()).contains("0 done, 3 deduplicated,");
  }

  @Test
  void without_a_ledger_it_is_run_again_and_that_is_said_at_the_start() throws Exception {
    doThreeAndForgetTheConsumer();
    WorkProcess again =
        work("JOBS", "runner", "--exec", "cat >> done", "--ledger", "none").awaitWorking();
    assertThat(again.err())
        .containsOnlyOnce("contrail: no ledger: what is delivered again is run again");
    awaitAllAcknowledged();
    again.signal("TERM");
    assertThat(again.awaitExit()).as(again.err()).isEqualTo(ExitCode.FINE);
    assertThat(file("done")).content().hasSize(6);
    assertThat(again.err()).contains("3 done, 0 deduplicated,");
  }

  private void doThreeAndForgetTheConsumer() throws Exception {
    String[] stream = {"JOBS", "runner", "--create", "--subjects", "jobs", "--concurrency", "1"};
    List<String> all = new ArrayList<>(List.of(stream));
    all.addAll(List.of("--exec", "cat >> done"));
    WorkProcess work = work(all.toArray(String[]::new)).awaitWorking();
    publish("a", "b", "c");
    awaitAllAcknowledged();
    work.signal("TERM");
    assertThat(work.awaitExit()).as(work.err()).isEqualTo(ExitCode.FINE);
    connection.jetStreamManagement().deleteConsumer("JOBS", "runner");
  }

  private void awaitAllAcknowledged() {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(
                        connection
                            .jetStreamManagement()
                            .getConsumerInfo("JOBS", "runner")
                            .getAckFloor()
                            .getStreamSequence())
                    .as("acknowledged up to")
                    .isEqualTo(3));
  }

  @Test
  void dead_letters_are_stored_without_what_rules_name_only_where_that_is_asked_for()
      throws Exception {
    Files.writeString(file("contrail.yaml"), "redact-json: [$.card]\n");
    WorkProcess whole = workQueue("exit 65");
    publish("{\"card\":4711,\"n\":1}");
    await().atMost(Duration.ofSeconds(30)).until(() -> messages("JOBS") == 0);
    whole.signal("TERM");
    assertThat(whole.awaitExit()).as(whole.err()).isEqualTo(ExitCode.FINE);
    WorkProcess redacting = workQueue("exit 65", "--redact-stored");
    publish("{\"card\":4711,\"n\":2}");
    await().atMost(Duration.ofSeconds(30)).until(() -> messages("JOBS") == 0);
    redacting.signal("TERM");
    assertThat(redacting.awaitExit()).as(redacting.err()).isEqualTo(ExitCode.FINE);

    assertThat(deadLetter(1).getData()).asString().isEqualTo("{\"card\":4711,\"n\":1}");
    assertThat(deadLetter(1).getHeaders().getFirst("Contrail-Redacted")).isNull();
    assertThat(deadLetter(2).getData()).asString().isEqualTo("{\"card\":\"[redacted]\",\"n\":2}");
    assertThat(deadLetter(2).getHeaders().getFirst("Contrail-Redacted")).isEqualTo("true");
  }

  private MessageInfo deadLetter(long sequence) throws Exception {
    return connection.jetStreamManagement().getMessage("CONTRAIL_DLQ", sequence);
  }

  @Test
  void rules_that_would_have_no_effect_and_an_effect_without_rules_are_refused() throws Exception {
    WorkProcess unused = work("JOBS", "runner", "--exec", "true", "--redact-json", "$.card");
    assertThat(unused.awaitExit()).isEqualTo(ExitCode.USAGE);
    assertThat(unused.err()).contains("say --redact-stored as well");
    WorkProcess none = work("JOBS", "runner", "--exec", "true", "--redact-stored");
    assertThat(none.awaitExit()).isEqualTo(ExitCode.USAGE);
    assertThat(none.err()).contains("--redact-stored needs --redact-header or --redact-json");
  }

  @Test
  void a_death_is_logged_as_fields_without_what_the_message_or_the_command_says() throws Exception {
    WorkProcess work = workQueue("cat >&2; exit 65");
    publish("card-4711");
    await().atMost(Duration.ofSeconds(30)).until(() -> messages("JOBS") == 0);
    work.signal("TERM");
    assertThat(work.awaitExit()).as(work.err()).isEqualTo(ExitCode.FINE);
    assertThat(work.err())
        .containsPattern(
            "(?m)^time=\\S+ level=warn event=dead-letter stream=JOBS consumer=runner sequence=1"
                + " delivery=1 id=JOBS\\.runner\\.\\w+\\.1 reason=rejected"
                + " exception=dev.contrail.RejectedMessageException ")
        .doesNotContain("card-4711");
  }

  @Test
  void a_port_for_metrics_that_is_taken_stops_it_with_a_sentence() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      WorkProcess work =
          work(
              "JOBS",
              "runner",
              "--create",
              "--subjects=jobs",
              "--exec=true",
              "--metrics-port=" + taken.getLocalPort());
      assertThat(work.awaitExit()).isEqualTo(ExitCode.FAILED);
      assertThat(work.err())
          .contains("is taken by another program; choose another with --metrics-port")
          .doesNotContain("\tat ");
    }
  }

  @Test
  void a_stream_that_is_missing_is_said_in_one_sentence() throws Exception {
    WorkProcess work = work("NONE", "runner", "--exec", "true");
    assertThat(work.awaitExit()).isEqualTo(ExitCode.FAILED);
    assertThat(work.err())
        .contains("contrail: Stream NONE does not exist", "--create")
        .doesNotContain("\tat ", "Exception");
  }

  @Test
  void a_stream_that_cannot_be_created_is_said_in_one_sentence() throws Exception {
    workQueue("true");
    WorkProcess other = work("OTHER", "runner", "--exec", "true", "--create", "--subjects", "jobs");
    assertThat(other.awaitExit()).isEqualTo(ExitCode.FAILED);
    assertThat(other.err())
        .contains("contrail: stream OTHER cannot be created: subjects overlap")
        .doesNotContain("\tat ");
  }
}
