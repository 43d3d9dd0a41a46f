package dev.contrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.api.StreamConfiguration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code contrail ledger} against a real server. */
class LedgerCommandsTest extends CommandTest {
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
  void ls_and_show_tell_what_is_completed_and_what_is_not() throws Exception {
    publish(10);
    complete(10);
    publish(2);

    assertThat(run("ledger", "ls", "--json")).as(err).isEqualTo(ExitCode.FINE);
    JsonNode listed = JsonMapper.shared().readTree(out);
    assertThat(listed).hasSize(1);
    assertThat(listed.get(0).propertyNames())
        .containsExactly(
            "stream",
            "consumer",
            "incarnation",
            "current",
            "completed",
            "oldestOpen",
            "blocks",
            "epochs",
            "records",
            "bytes",
            "lastRecordAt");
    assertThat(listed.get(0).get("completed").asLong()).isEqualTo(10);
    assertThat(listed.get(0).get("oldestOpen").asLong()).isEqualTo(11);
    assertThat(listed.get(0).get("current").asBoolean()).isTrue();

    assertThat(run("ledger", "show", "ORDERS", "billing", "--json")).as(err).isZero();
    JsonNode shown = JsonMapper.shared().readTree(out);
    assertThat(shown.get("completed").asLong()).isEqualTo(10);
    assertThat(shown.get("ranges")).hasSize(1);
    assertThat(shown.get("ranges").get(0).get("from").asLong()).isEqualTo(1);
    assertThat(shown.get("ranges").get(0).get("to").asLong()).isEqualTo(10);
    assertThat(shown.get("blockList").get(0).get("completed").asLong()).isEqualTo(10);
  }

  @Test
  void ls_and_show_are_for_people_without_json() throws Exception {
    publish(3);
    complete(3);

    assertThat(run("ledger", "ls")).as(err).isZero();
    assertThat(out).contains("STREAM", "COMPLETED", "OLDEST OPEN", "ORDERS", "billing");
    assertThat(run("ledger", "show", "ORDERS", "billing")).as(err).isZero();
    assertThat(out).contains("oldest open   none", "Completed\n  1 to 3\n", "BLOCK");
  }

  @Test
  void what_is_forgotten_is_processed_again_and_nothing_else() throws Exception {
    publish(10);
    complete(10);

    assertThat(run("ledger", "forget", "ORDERS", "billing", "--from", "4", "--to", "6", "--yes"))
        .as(err)
        .isZero();
    assertThat(out).isEqualTo("Forgot 3 completions.\n");
    try (Connection connection = Contrail.connect(server.url())) {
      connection.jetStreamManagement().deleteConsumer("ORDERS", "billing");
    }
    assertThat(complete(3)).containsExactlyInAnyOrder(4L, 5L, 6L);
  }

  @Test
  void of_several_generations_one_has_to_be_named() throws Exception {
    publish(3);
    complete(3);
    publish(1);
    complete(1, 2);

    assertThat(run("ledger", "show", "ORDERS", "billing")).isEqualTo(ExitCode.FAILED);
    assertThat(err)
        .contains("has ledgers of several generations; name one: --ledger-generation 2 or 0");
    assertThat(run("ledger", "show", "ORDERS", "billing", "--ledger-generation", "2", "--json"))
        .as(err)
        .isZero();
    assertThat(JsonMapper.shared().readTree(out).get("incarnation").asString()).endsWith("-2");
  }

  @Test
  void forget_asks_first_and_without_anybody_to_ask_it_forgets_nothing() throws Exception {
    publish(3);
    complete(3);

    assertThat(run("ledger", "forget", "ORDERS", "billing", "--from", "1", "--to", "9"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err)
        .contains("Forget 3 completions of consumer billing of stream ORDERS", "--yes")
        .hasLineCount(1);
    assertThat(run("ledger", "forget", "ORDERS", "billing", "--from", "1", "--to", "9", "--yes"))
        .isZero();
    assertThat(run("ledger", "forget", "ORDERS", "billing", "--from", "1", "--to", "9", "--yes"))
        .isZero();
    assertThat(out).isEqualTo("None of them is recorded as completed.\n");
  }

  @Test
  void what_is_not_there_or_no_range_gets_one_sentence() throws Exception {
    assertThat(run("ledger", "ls")).isEqualTo(ExitCode.FAILED);
    assertThat(err).contains("There is no stream CONTRAIL_LEDGER").hasLineCount(1);
    publish(1);
    complete(1);
    assertThat(run("ledger", "show", "ORDERS", "shipping")).isEqualTo(ExitCode.FAILED);
    assertThat(err)
        .contains("there is no ledger of consumer shipping of stream ORDERS")
        .hasLineCount(1);
    assertThat(run("ledger", "forget", "ORDERS", "billing", "--from", "5", "--to", "4"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err).contains("--from 5 --to 4 is no range; accepted is 1 ≤ N ≤ M").hasLineCount(1);
  }

  private void publish(int count) throws Exception {
    try (Connection connection = Contrail.connect(server.url())) {
      connection
          .jetStreamManagement()
          .addStream(StreamConfiguration.builder().name("ORDERS").subjects("orders.>").build());
      for (int i = 0; i < count; i++) {
        connection.jetStream().publish("orders.new", new byte[] {1});
      }
    }
  }

  /** Works until so many are done; returns which were run. */
  private List<Long> complete(int count) throws Exception {
    return complete(count, 0);
  }

  private List<Long> complete(int count, int generation) throws Exception {
    Queue<Long> run = new ConcurrentLinkedQueue<>();
    CountDownLatch done = new CountDownLatch(count);
    try (Connection connection = Contrail.connect(server.url());
        ContrailConsumer consumer =
            Contrail.consumer(connection, "ORDERS", "billing")
                .ledgerGeneration(generation)
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
}
