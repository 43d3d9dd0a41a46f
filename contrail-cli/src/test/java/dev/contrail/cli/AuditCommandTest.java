package dev.contrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.event.EventAddress;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.api.StreamConfiguration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code contrail audit} against a real server. */
class AuditCommandTest extends CommandTest {
  private NatsServer server;
  private Connection connection;

  @BeforeEach
  void open() throws Exception {
    server = NatsServer.start();
    env.put("NATS_URL", server.url());
    connection = Contrail.connect(server.url());
    connection
        .jetStreamManagement()
        .addStream(StreamConfiguration.builder().name("ORDERS").subjects("orders.>").build());
  }

  @AfterEach
  void close() throws Exception {
    connection.close();
    server.close();
  }

  private void publish(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      connection.jetStream().publish("orders.new", new byte[0]);
    }
  }

  private void process(int count) throws Exception {
    CountDownLatch done = new CountDownLatch(count);
    try (ContrailConsumer billing =
        Contrail.consumer(connection, "ORDERS", "billing")
            .handler(delivery -> done.countDown())
            .start()) {
      assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void all_is_fine_when_all_was_processed() throws Exception {
    publish(10);
    process(10);
    assertThat(run("audit", "ORDERS")).as(err).isEqualTo(ExitCode.FINE);
    assertThat(out)
        .contains("billing", "processed", "100.0%", "Everything is accounted for.")
        .doesNotContain("unaccounted");
  }

  @Test
  void a_purge_is_told_with_ranges_and_exit_code() throws Exception {
    publish(10);
    process(10);
    publish(5);
    connection.jetStreamManagement().purgeStream("ORDERS");

    assertThat(run("audit", "ORDERS")).isEqualTo(ExitCode.FAILED);
    assertThat(out).contains("5 unaccounted for.", "purged: gone before they were processed");

    assertThat(run("audit", "ORDERS", "--json")).isEqualTo(ExitCode.FAILED);
    JsonNode report = JsonMapper.shared().readTree(out);
    assertThat(report.propertyNames())
        .containsExactly(
            "stream",
            "incarnation",
            "at",
            "from",
            "to",
            "beginsSince",
            "messages",
            "unaccounted",
            "consumers",
            "notes",
            "complete");
    assertThat(report.get("unaccounted").asLong()).isEqualTo(5);
    JsonNode billing = report.get("consumers").get(0);
    assertThat(billing.propertyNames())
        .containsExactly("consumer", "ledger", "unaccounted", "fates", "gaps");
    assertThat(billing.get("fates").get(0).propertyNames())
        .containsExactly("fate", "messages", "share", "ranges");
    assertThat(billing.get("fates").get(0).get("fate").asString()).isEqualTo("processed");
    assertThat(billing.get("fates").get(0).get("ranges").get(0).get("to").asLong()).isEqualTo(10);
    assertThat(billing.get("gaps").get(0).propertyNames())
        .containsExactly("from", "to", "messages", "cause", "reason", "command");
    assertThat(billing.get("gaps").get(0).get("cause").asString()).isEqualTo("purged");
  }

  @Test
  void a_record_that_cannot_be_read_is_told_with_an_exit_code() throws Exception {
    publish(2);
    process(2);
    assertThat(run("init")).as(err).isEqualTo(ExitCode.FINE);
    EventAddress address =
        EventAddress.step(new DeadLetterId("ORDERS", "billing", "incarnation", 1), 1);
    connection.jetStream().publish(address.subject("contrail"), new byte[0]);

    assertThat(run("audit", "ORDERS")).isEqualTo(ExitCode.FAILED);
    assertThat(out)
        .contains("Everything is accounted for. Not all that is on record could be read.");
    assertThat(run("audit", "ORDERS", "--json")).isEqualTo(ExitCode.FAILED);
    assertThat(JsonMapper.shared().readTree(out).get("complete").asBoolean()).isFalse();
  }

  @Test
  void what_cannot_be_audited_is_refused_with_a_sentence() throws Exception {
    assertThat(run("audit", "NOTHING")).isEqualTo(ExitCode.FAILED);
    assertThat(err).contains("There is no stream NOTHING on this server.");
    assertThat(run("audit", "ORDERS", "--since", "60d")).isEqualTo(ExitCode.USAGE);
    assertThat(err).contains("--since", "60d", "30d");
    assertThat(run("audit", "ORDERS", "--consumer", "nobody")).isEqualTo(ExitCode.FAILED);
    publish(1);
    assertThat(run("audit", "ORDERS")).isEqualTo(ExitCode.FINE);
    assertThat(out).contains("no durable consumers");
  }
}
