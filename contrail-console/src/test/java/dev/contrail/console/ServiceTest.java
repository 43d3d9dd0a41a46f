package dev.contrail.console;

import static dev.contrail.console.Premises.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.operations.guard.Guard;
import dev.contrail.operations.guard.GuardOptions;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection.Status;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.console.Premises#servers")
class ServiceTest {
  private static final String DEAD =
      "contrail_dead_letters_open{reason=\"exhausted\",stream=\"ORDERS\"}";
  private static final String UNCLAIMED = "contrail_orphans{class=\"unclaimed\",stream=\"ORDERS\"}";
  private static final String IN_MEMORY =
      "contrail_doctor_findings{code=\"CT031\",severity=\"warn\"}";

  private final NatsServerBinary binary;

  ServiceTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @Test
  void what_goes_wrong_is_measured_through_an_outage() throws Exception {
    try (Premises premises = new Premises(binary, GuardOptions.Release.NOTHING)) {
      assertThat(premises.get("/healthz").statusCode()).as("before it begins").isEqualTo(200);
      HttpResponse<String> early = premises.get("/readyz");
      assertThat(early.statusCode()).isEqualTo(503);
      assertThat(early.body())
          .as("why is not told before it is known who may look")
          .contains("{\"name\":\"index\",\"ok\":false,\"degraded\":false,\"detail\":\"\"}");
      premises.addQueue("ORDERS");

      premises.service.begin();
      premises.awaitReady();
      premises.exhaust("ORDERS");
      premises.connection.jetStream().publish("ORDERS.lost", new byte[] {1});
      premises.addMemoryStream("CACHE");

      premises.awaitMetric(DEAD, 1);
      premises.awaitMetric(UNCLAIMED, 1);
      premises.awaitMetric(IN_MEMORY, 1);
      premises.awaitMetric("contrail_guard_lease_held", 1);
      await()
          .atMost(SOON)
          .until(() -> premises.metrics().containsKey("contrail_guard_last_sweep_age_seconds"));
      assertThat(premises.metrics())
          .containsEntry("contrail_guard_buried_total", 1.0)
          .containsKeys(
              "contrail_dead_letters_oldest_age_seconds{reason=\"exhausted\",stream=\"ORDERS\"}",
              "contrail_orphans_oldest_age_seconds{class=\"unclaimed\",stream=\"ORDERS\"}");

      premises.nats.stop();
      await()
          .atMost(SOON)
          .untilAsserted(
              () -> {
                HttpResponse<String> answer = premises.get("/readyz");
                assertThat(answer.statusCode()).isEqualTo(503);
                assertThat(answer.body())
                    .contains("{\"name\":\"nats\",\"ok\":false", "\"name\":\"index\",\"ok\":false");
              });
      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(premises.get("/readyz").body())
                      .contains("There is no connection to the NATS server."));
      assertThat(premises.get("/healthz").statusCode()).isEqualTo(200);
      assertThat(premises.metrics())
          .as("what was known last")
          .containsEntry(DEAD, 1.0)
          .containsEntry(UNCLAIMED, 1.0)
          .containsEntry("contrail_ready{check=\"nats\"}", 0.0);
      premises.awaitMetric("contrail_task_failing{task=\"doctor\"}", 1);

      premises.nats.startAgain();
      premises.awaitReady();
      await().atMost(SOON).until(() -> premises.connection.getStatus() == Status.CONNECTED);
      premises.exhaust("ORDERS");
      premises.connection.jetStream().publish("ORDERS.lost", new byte[] {1});

      premises.awaitMetric(DEAD, 2);
      premises.awaitMetric(UNCLAIMED, 2);
      // The server forgot the stream, and what was wrong with it.
      await()
          .atMost(SOON)
          .untilAsserted(() -> assertThat(premises.metrics()).doesNotContainKey(IN_MEMORY));
      premises.awaitMetric("contrail_task_failing{task=\"doctor\"}", 0);
      assertThat(premises.stored("ORDERS")).as("nothing was deleted").isEqualTo(4);
    }
  }

  @Test
  void only_streams_that_were_named_are_released() throws Exception {
    try (Premises premises = new Premises(binary, GuardOptions.Release.of(Set.of("NAMED")))) {
      premises.addQueue("NAMED");
      premises.addQueue("ORDERS");
      premises.service.begin();
      premises.awaitReady();

      premises.exhaust("ORDERS");
      premises.exhaust("NAMED");
      premises.connection.jetStream().publish("NAMED.lost", new byte[] {1});
      premises.connection.jetStream().publish("ORDERS.lost", new byte[] {1});

      premises.awaitMetric(DEAD, 1);
      premises.awaitMetric(UNCLAIMED, 1);
      await().atMost(SOON).until(() -> premises.stored("NAMED") == 1);
      premises.awaitMetric("contrail_guard_released_total", 1);
      double sweeps =
          premises.metrics().getOrDefault("contrail_task_runs_total{task=\"orphans\"}", 0.0);
      await()
          .atMost(SOON)
          .until(
              () ->
                  premises.metrics().getOrDefault("contrail_task_runs_total{task=\"orphans\"}", 0.0)
                      > sweeps + 3);
      assertThat(premises.stored("ORDERS")).isEqualTo(2);
      assertThat(premises.stored("NAMED")).as("an orphan is only told of").isEqualTo(1);
    }
  }

  @Test
  void it_ends_in_time_and_gives_the_lead_to_another() throws Exception {
    try (Premises premises = new Premises(binary, GuardOptions.Release.NOTHING)) {
      premises.service.begin();
      premises.awaitReady();
      await()
          .atMost(SOON)
          .untilAsserted(() -> assertThat(premises.get("/readyz").body()).contains("\"leads\""));

      premises.service.end(Duration.ofSeconds(10));

      HttpResponse<String> answer = premises.get("/readyz");
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body()).contains("was asked to end");
      assertThat(premises.connection.keyValue("CONTRAIL_LEASES").get(Guard.TASK))
          .as("the lease")
          .satisfiesAnyOf(
              entry -> assertThat(entry).isNull(), entry -> assertThat(entry.getValue()).isNull());
    }
  }

  @Test
  void it_ends_in_time_while_the_server_is_away() throws Exception {
    try (Premises premises = new Premises(binary, GuardOptions.Release.NOTHING)) {
      premises.service.begin();
      premises.awaitReady();
      premises.nats.stop();
      await()
          .atMost(SOON)
          .untilAsserted(() -> assertThat(premises.get("/readyz").statusCode()).isEqualTo(503));

      long began = System.nanoTime();
      premises.service.end(Duration.ofSeconds(5));

      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(15));
    }
  }
}
