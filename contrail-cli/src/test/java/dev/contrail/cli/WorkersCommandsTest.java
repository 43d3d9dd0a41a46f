package dev.contrail.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.RetryAfterException;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code contrail workers} against a real server. */
class WorkersCommandsTest extends CommandTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  private NatsServer server;
  private Connection connection;
  private ContrailConsumer worker;

  @BeforeEach
  void open() throws Exception {
    server = NatsServer.start();
    env.put("NATS_URL", server.url());
    connection = Contrail.connect(server.url());
    connection
        .jetStreamManagement()
        .addStream(StreamConfiguration.builder().name("ORDERS").subjects("orders.>").build());
    worker =
        Contrail.consumer(connection, "ORDERS", "billing")
            .workerName("17@\u001b[31mhost")
            .handler(
                delivery -> {
                  throw new RetryAfterException(Duration.ofMinutes(10));
                })
            .start();
    connection.jetStream().publish("orders.new", new byte[] {1});
  }

  @AfterEach
  void close() throws Exception {
    worker.close();
    connection.close();
    server.close();
  }

  private JsonNode ls(String... more) {
    String[] args = new String[more.length + 3];
    args[0] = "workers";
    args[1] = "ls";
    System.arraycopy(more, 0, args, 2, more.length);
    args[args.length - 1] = "--json";
    assertThat(run(args)).as(err).isEqualTo(ExitCode.FINE);
    return JsonMapper.shared().readTree(out);
  }

  private void awaitRetrying() {
    await().atMost(SOON).until(() -> ls().path("workers").path(0).path("retrying").size() == 1);
  }

  @Test
  void ls_tells_what_they_do() {
    awaitRetrying();
    JsonNode one = ls("ORDERS", "billing").path("workers").path(0);
    assertThat(one.propertyNames())
        .containsExactly(
            "worker",
            "instance",
            "stream",
            "consumer",
            "contrail",
            "app",
            "startedAt",
            "at",
            "paused",
            "pause",
            "breaker",
            "holds",
            "perSecond",
            "counts",
            "inFlight",
            "held",
            "oldestRunningSince",
            "retrying",
            "retryingMore");
    assertThat(one.path("retrying").path(0).path("messages").asInt()).isEqualTo(1);
    assertThat(ls("ORDERS", "mail").path("workers")).isEmpty();

    assertThat(run("workers", "ls")).isZero();
    assertThat(out)
        .contains("WORKER", "DONE/S", "RETRYING", "ORDERS", "billing", "working", "up to 1")
        .doesNotContain("\u001b");
    assertThat(run("workers", "ls", "OTHER")).isZero();
    assertThat(out).isEqualTo("No worker has told what it is doing in the last 30 s.\n");
  }

  @Test
  void pause_and_resume_say_who_and_why() {
    assertThat(run("workers", "pause", "ORDERS", "billing", "--because", "the bank", "--as", "ann"))
        .as(err)
        .isZero();
    assertThat(out).contains("ORDERS billing is paused", "contrail workers resume ORDERS billing");
    await().atMost(SOON).until(() -> worker.status().paused());
    await().atMost(SOON).until(() -> ls().path("workers").path(0).path("paused").asBoolean());
    assertThat(run("workers", "ls")).isZero();
    assertThat(out).contains("paused", "ORDERS billing is paused by ann", "the bank");

    assertThat(run("workers", "pause", "ORDERS", "--as", "bob", "--json")).as(err).isZero();
    JsonNode order = JsonMapper.shared().readTree(out);
    assertThat(order.path("by").asString()).isEqualTo("bob");
    assertThat(order.path("workers").asInt()).isEqualTo(1);

    assertThat(run("workers", "resume", "ORDERS", "billing")).as(err).isZero();
    assertThat(out).contains("Ended: the pause of ORDERS billing by ann");
    assertThat(err).contains("ORDERS is paused by bob", "contrail workers resume ORDERS");
    assertThat(worker.status().paused()).isTrue();
    assertThat(run("workers", "resume", "ORDERS", "--all")).as(err).isZero();
    await().atMost(SOON).until(() -> !worker.status().paused());
    assertThat(run("workers", "resume", "ORDERS")).isZero();
    assertThat(out).isEqualTo("ORDERS was not paused.\n");
  }

  @Test
  void what_was_done_before_something_failed_is_said() throws Exception {
    try (NatsServer guarded =
            NatsServer.builder()
                .config(
                    """
                    authorization { users: [
                      { user: admin, password: secret }
                      { user: ops, password: secret, permissions: { publish: { deny: [
                          "$JS.API.*.*.KV_CONTRAIL_WORKERS.>", "$JS.API.*.*.KV_CONTRAIL_WORKERS",
                          "$JS.API.*.KV_CONTRAIL_WORKERS", "$JS.API.DIRECT.GET.KV_CONTRAIL_WORKERS.>",
                          "$KV.CONTRAIL_PAUSES.ORDERS.billing"] } } }
                    ] }
                    """)
                .start();
        Connection admin =
            Contrail.connect(Contrail.options(guarded.url()).userInfo("admin", "secret").build())) {
      env.put("NATS_URL", guarded.url());
      env.put("NATS_USER", "admin");
      env.put("NATS_PASSWORD", "secret");
      assertThat(run("init")).as(err).isZero();
      admin
          .jetStreamManagement()
          .addStream(StreamConfiguration.builder().name("ORDERS").subjects("orders.>").build());
      Contrail.consumer(admin, "ORDERS", "billing").handler(it -> {}).start().close();
      assertThat(run("workers", "pause", "ORDERS", "billing")).as(err).isZero();
      env.put("NATS_USER", "ops");

      assertThat(run("workers", "pause", "ORDERS")).as(err).isZero();
      assertThat(out).contains("ORDERS is paused: its workers cannot be seen");
      assertThat(err).contains("CONTRAIL_WORKERS");
      assertThat(run("workers", "pause", "ORDERS", "--json")).as(err).isZero();
      assertThat(JsonMapper.shared().readTree(out).path("workers").isNull()).isTrue();

      assertThat(run("workers", "resume", "ORDERS", "--all")).isEqualTo(ExitCode.FAILED);
      assertThat(err).contains("resumed are ORDERS\n", "still paused are ORDERS billing\n");
    }
  }

  @Test
  void what_cannot_be_meant_is_refused_in_a_sentence() {
    assertThat(run("workers", "pause", "ORDRES")).isEqualTo(ExitCode.USAGE);
    assertThat(err).contains("there is no stream ORDRES");
    assertThat(run("workers", "pause", "ORDERS", "biling")).isEqualTo(ExitCode.USAGE);
    assertThat(err).contains("the stream ORDERS has no consumer biling");
    assertThat(run("workers", "pause", "ORDERS", "--worker", "x")).isEqualTo(ExitCode.USAGE);
    assertThat(err).contains("--worker names a worker of a consumer");
    assertThat(run("workers", "pause", "a.b")).isEqualTo(ExitCode.USAGE);
    assertThat(err).contains("cannot be a name");
    assertThat(run("workers", "pause")).isEqualTo(ExitCode.USAGE);
    assertThat(run("workers")).isEqualTo(ExitCode.USAGE);
    assertThat(err).contains("ls", "pause", "resume");
  }
}
