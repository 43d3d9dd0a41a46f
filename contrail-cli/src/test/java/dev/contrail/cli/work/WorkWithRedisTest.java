package dev.contrail.cli.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.conformance.Cable;
import dev.contrail.jetstream.Contrail;
import dev.contrail.server.NatsServer;
import dev.contrail.server.RedisServer;
import io.nats.client.Connection;
import io.nats.client.api.StreamConfiguration;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code contrail work --ledger redis://…} as a process, with a real Redis. */
@Timeout(180)
final class WorkWithRedisTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  private final Path folder;
  private final NatsServer nats = NatsServer.start();
  private final RedisServer redis = RedisServer.start("user worker on >secret ~* +@all");
  private final Connection connection = Contrail.connect(nats.url());
  private final List<WorkProcess> started = new ArrayList<>();

  WorkWithRedisTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @BeforeEach
  void makeStream() throws Exception {
    connection
        .jetStreamManagement()
        .addStream(StreamConfiguration.builder().name("JOBS").subjects("jobs").build());
  }

  @AfterEach
  void endAll() throws InterruptedException {
    started.forEach(WorkProcess::close);
    connection.close();
    nats.close();
    redis.close();
  }

  @Test
  void a_worker_killed_between_the_record_and_the_ack_has_done_its_work_once() throws Exception {
    connection.jetStream().publish("jobs", "once".getBytes(StandardCharsets.UTF_8));
    String script = "cat >> done; touch started; until test -e go; do sleep 0.1; done";
    try (Cable cable = new Cable(URI.create(nats.url()).getPort())) {
      WorkProcess first = work("nats://127.0.0.1:" + cable.port(), script);
      await().atMost(SOON).until(() -> Files.exists(folder.resolve("started")));
      cable.swallow();
      Files.createFile(folder.resolve("go"));
      await().atMost(SOON).until(() -> completions() == 1);
      first.signal("KILL");
      first.awaitExit();
    }
    assertThat(ackFloor()).as("what is acked when the worker is dead").isZero();

    WorkProcess second = work(nats.url(), script, "--json");
    await().atMost(SOON).until(() -> ackFloor() == 1);
    second.signal("TERM");
    assertThat(second.awaitExit()).as(second.err()).isEqualTo(ExitCode.FINE);
    assertThat(folder.resolve("done")).hasContent("once");
    assertThat(second.out()).contains("\"done\" : 0", "\"deduplicated\" : 1");
    assertThat(second.err())
        .contains("contrail: completions in Redis at " + redis.url())
        .doesNotContain("secret");
  }

  @Test
  void without_a_redis_it_does_not_start_and_says_so_in_one_sentence() throws Exception {
    redis.close();
    WorkProcess work = start(nats.url(), "true");
    assertThat(work.awaitExit()).as(work.err()).isEqualTo(ExitCode.NO_SERVER);
    assertThat(work.err())
        .contains("contrail: Redis at " + redis.url() + " cannot be used: Connection refused")
        .doesNotContain("\tat ", "secret");
  }

  private WorkProcess work(String server, String script, String... more) throws Exception {
    return start(server, script, more).awaitWorking();
  }

  private WorkProcess start(String server, String script, String... more) throws Exception {
    List<String> all = new ArrayList<>(List.of("work", "-s", server, "JOBS", "runner"));
    all.addAll(List.of("--exec", script, "--ack-wait", "2s"));
    all.addAll(List.of("--ledger", redis.url().replace("redis://", "redis://worker:secret@")));
    all.addAll(List.of(more));
    WorkProcess process = WorkProcess.start(folder, all.toArray(String[]::new));
    started.add(process);
    return process;
  }

  private long ackFloor() throws Exception {
    return connection
        .jetStreamManagement()
        .getConsumerInfo("JOBS", "runner")
        .getAckFloor()
        .getStreamSequence();
  }

  /** How many Redis knows, asked past the program. */
  private int completions() throws Exception {
    URI address = URI.create(redis.url());
    try (Socket socket = new Socket(address.getHost(), address.getPort());
        OutputStream out = socket.getOutputStream()) {
      String question = "KEYS contrail:processed:*\r\nQUIT\r\n";
      out.write(question.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      return answer.split("contrail:processed:", -1).length - 1;
    }
  }
}
