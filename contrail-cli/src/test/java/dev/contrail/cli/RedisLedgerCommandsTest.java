package dev.contrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.redis.RedisLedger;
import dev.contrail.server.NatsServer;
import dev.contrail.server.RedisServer;
import io.nats.client.Connection;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code contrail ledger … --ledger redis://…} against real servers. */
class RedisLedgerCommandsTest extends CommandTest {
  private NatsServer server;
  private RedisServer redis;

  @BeforeEach
  void open() throws Exception {
    server = NatsServer.start();
    env.put("NATS_URL", server.url());
    redis = RedisServer.start();
    try (Connection connection = Contrail.connect(server.url())) {
      connection
          .jetStreamManagement()
          .addStream(StreamConfiguration.builder().name("ORDERS").subjects("orders.>").build());
      for (int i = 0; i < 10; i++) {
        connection.jetStream().publish("orders.new", new byte[] {1});
      }
    }
  }

  @AfterEach
  void close() {
    redis.close();
    server.close();
  }

  @Test
  void show_tells_how_long_completions_are_known_against_the_ack_wait() throws Exception {
    complete(10);
    assertThat(ledger("show", "ORDERS", "billing", "--json")).as(err).isZero();
    JsonNode shown = JsonMapper.shared().readTree(out);
    assertThat(shown.get("completions").asLong()).isEqualTo(10);
    assertThat(shown.get("redis").asString()).isEqualTo(redis.url());
    assertThat(shown.get("effectiveAckWaitMillis").asLong()).isEqualTo(3_600_000);
    assertThat(shown.get("shortestMillis").asLong())
        .isBetween(Duration.ofHours(47).toMillis(), Duration.ofHours(48).toMillis());
    assertThat(shown.get("aligned").asBoolean()).isTrue();

    assertThat(ledger("show", "ORDERS", "billing")).as(err).isZero();
    assertThat(out)
        .contains("FORGOTTEN IN", "1d to 2d", "100.0%", "All of them are of messages")
        .doesNotContain("under 1m");
  }

  @Test
  void show_finds_completions_that_are_forgotten_before_their_message_may_come_again()
      throws Exception {
    complete(10);
    try (Connection connection = Contrail.connect(server.url())) {
      connection.jetStreamManagement().deleteConsumer("ORDERS", "billing");
      connection
          .jetStreamManagement()
          .addOrUpdateConsumer(
              "ORDERS",
              ConsumerConfiguration.builder()
                  .durable("billing")
                  .ackWait(Duration.ofDays(3))
                  .build());
    }
    assertThat(ledger("show", "ORDERS", "billing")).as(err).isZero();
    assertThat(out).contains("Too short: 10 of the 10 completions", "in less than 3d");
  }

  @Test
  void what_is_forgotten_is_processed_again_and_nothing_else() throws Exception {
    complete(10);
    assertThat(ledger("forget", "ORDERS", "billing", "--from", "4", "--to", "6"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err).contains("Forget 3 completions of consumer billing of stream ORDERS");
    try (Connection connection = Contrail.connect(server.url())) {
      connection.jetStreamManagement().deleteConsumer("ORDERS", "billing");
    }
    assertThat(ledger("forget", "ORDERS", "billing", "--from", "4", "--to", "6", "--yes"))
        .as(err)
        .isZero();
    assertThat(out).isEqualTo("Forgot 3 completions.\n");
    assertThat(complete(3)).containsExactlyInAnyOrder(4L, 5L, 6L);
  }

  @Test
  void what_is_not_there_gets_one_sentence() {
    assertThat(ledger("show", "ORDERS", "billing")).isEqualTo(ExitCode.FAILED);
    assertThat(err).isEqualTo("contrail: Stream ORDERS: consumer not found.\n");
    assertThat(ledger("forget", "NONE", "billing", "--from", "1", "--to", "2"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(err).isEqualTo("contrail: Stream NONE: stream not found.\n");
    assertThat(ledger("forget", "ORDERS", "billing", "--from", "1", "--to", "9000000")).isZero();
    assertThat(out).isEqualTo("None of them is recorded as completed.\n");
    redis.close();
    assertThat(ledger("forget", "ORDERS", "billing", "--from", "1", "--to", "2"))
        .isEqualTo(ExitCode.NO_SERVER);
    assertThat(err).contains("cannot be used: Connection refused").hasLineCount(1);
  }

  /** Works until so many are done; returns which were run. */
  private List<Long> complete(int count) throws Exception {
    Queue<Long> run = new ConcurrentLinkedQueue<>();
    CountDownLatch done = new CountDownLatch(count);
    try (Connection connection = Contrail.connect(server.url());
        RedisLedger ledger = RedisLedger.at(redis.url());
        ContrailConsumer consumer =
            Contrail.consumer(connection, "ORDERS", "billing")
                .ledger(ledger)
                .handler(
                    delivery -> {
                      run.add(delivery.sequence());
                      done.countDown();
                    })
                .start()) {
      assertThat(done.await(30, TimeUnit.SECONDS)).as("all were run").isTrue();
    }
    return List.copyOf(run);
  }

  private int ledger(String... words) {
    return run(
        Stream.of(Stream.of("ledger"), Stream.of(words), Stream.of("--ledger", redis.url()))
            .flatMap(Function.identity())
            .toArray(String[]::new));
  }
}
