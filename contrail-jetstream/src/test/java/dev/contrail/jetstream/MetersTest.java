package dev.contrail.jetstream;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.RejectedMessageException;
import dev.contrail.RetryAfterException;
import dev.contrail.jetstream.micrometer.ContrailMeters;
import dev.contrail.policy.Backoff;
import dev.contrail.policy.BreakerPolicy;
import dev.contrail.policy.RetryPolicy;
import dev.contrail.server.NatsServerBinary;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.StreamConfiguration;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is measured of a consumer, as Prometheus reads it. */
@OnEveryServer
class MetersTest {
  private final NatsServerBinary binary;
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final ContrailMeters meters = ContrailMeters.in(registry);
  private Workplace workplace;

  MetersTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    workplace = Workplace.workqueue(Servers.shared(binary));
  }

  @AfterEach
  void close() {
    workplace.close();
    registry.close();
  }

  @Test
  void deliveries_are_counted_by_their_outcome_and_handlers_are_timed() throws Exception {
    try (ContrailConsumer consumer =
        workplace
            .consumer()
            .meters(meters)
            .retry(
                new RetryPolicy(
                    100,
                    new Backoff(Duration.ofMillis(20), 2, Duration.ofMillis(100)),
                    Duration.ofHours(24),
                    Duration.ofMillis(200),
                    3,
                    Duration.ofMillis(20)))
            .handler(
                delivery -> {
                  String word = new String(delivery.data(), StandardCharsets.UTF_8);
                  if (word.equals("reject")) {
                    throw new RejectedMessageException("told to");
                  }
                  if (word.equals("again") && delivery.deliveryCount() < 3) {
                    throw new RetryAfterException(Duration.ofHours(1));
                  }
                })
            .start()) {
      assertThat(series("contrail_workers")).isEqualTo(1);
      workplace.publish(5, "ok");
      workplace.publish("reject");
      workplace.connection.jetStream().publish(workplace.stream + ".eu.17.created", bytes("again"));
      workplace.awaitEmpty();
      await()
          .atMost(Workplace.SOON)
          .untilAsserted(
              () -> {
                assertThat(series("contrail_deliveries_total", "outcome", "done")).isEqualTo(6);
                assertThat(series("contrail_deliveries_total", "outcome", "dead")).isEqualTo(1);
              });
      assertThat(series("contrail_deliveries_total", "outcome", "retried")).isEqualTo(2);
      assertThat(series("contrail_deliveries_total", "outcome", "deduplicated")).isZero();
      assertThat(series("contrail_delays_shortened_total")).isEqualTo(2);
      // The stream's own name holds a digit.
      assertThat(series("contrail_redeliveries_total", "subject", "*.eu.*.created")).isEqualTo(2);
      assertThat(series("contrail_dead_letter_writes_total", "result", "stored")).isEqualTo(1);
      assertThat(series("contrail_dead_letter_writes_total", "result", "failed")).isZero();
      assertThat(series("contrail_notices_total", "kind", "dead")).isEqualTo(1);
      assertThat(series("contrail_in_flight_messages")).isZero();
      await()
          .atMost(Workplace.SOON)
          .untilAsserted(
              () -> {
                assertThat(series("contrail_handler_seconds_count", "outcome", "done"))
                    .isEqualTo(6);
                assertThat(series("contrail_handler_seconds_count", "outcome", "failed"))
                    .isEqualTo(3);
              });
      assertThat(all()).containsKey(key("contrail_handler_seconds_bucket", "outcome", "done"));
      assertThat(series("contrail_ledger_commit_size_messages_sum")).isEqualTo(6);
      assertThat(series("contrail_ledger_commit_seconds_count"))
          .isEqualTo(series("contrail_ledger_commit_size_messages_count"))
          .isBetween(1.0, 6.0);
      assertThat(all()).doesNotContainKey(key("contrail_ledger_ttl_headroom_seconds"));
    }
  }

  @Test
  void what_all_workers_have_pending_is_measured_against_the_limit_from_the_start()
      throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    workplace.publish(6, "work");
    try (ContrailConsumer consumer =
        workplace
            .consumer()
            .meters(meters)
            .maxAckPending(10)
            .options(options -> options.patrol = Duration.ofMillis(200))
            .handler(delivery -> go.await())
            .start()) {
      await()
          .atMost(Workplace.SOON)
          .untilAsserted(
              () -> {
                assertThat(all()).containsKey(key("contrail_ack_pending_messages"));
                assertThat(series("contrail_ack_pending_messages")).isEqualTo(6);
              });
      assertThat(series("contrail_ack_pending_limit")).isEqualTo(10);
      assertThat(series("contrail_in_flight_messages")).isEqualTo(6);
      assertThat(series("contrail_in_flight_bytes")).isPositive();
      go.countDown();
    }
  }

  @Test
  void a_full_dead_letter_stream_shows_as_failed_writes_and_held_messages() throws Exception {
    try (ContrailConsumer consumer =
        workplace
            .consumer()
            .meters(meters)
            .handler(
                delivery -> {
                  throw new RejectedMessageException("told to");
                })
            .start()) {
      limitDeadLetters(0);
      workplace.publish("reject");
      await()
          .atMost(Workplace.SOON)
          .untilAsserted(
              () -> {
                assertThat(series("contrail_store_down", "store", "dead-letters")).isEqualTo(1);
                assertThat(series("contrail_held_messages")).isEqualTo(1);
              });
      assertThat(series("contrail_dead_letter_writes_total", "result", "failed")).isPositive();
      assertThat(series("contrail_notices_total", "kind", "store-down")).isEqualTo(1);
      limitDeadLetters(-1);
      workplace.awaitEmpty();
      await()
          .atMost(Workplace.SOON)
          .untilAsserted(
              () -> {
                assertThat(series("contrail_store_down", "store", "dead-letters")).isZero();
                assertThat(series("contrail_held_messages")).isZero();
                assertThat(series("contrail_dead_letter_writes_total", "result", "stored"))
                    .isEqualTo(1);
              });
    }
  }

  @Test
  void the_breaker_is_seen_to_open_and_to_close() throws Exception {
    AtomicBoolean down = new AtomicBoolean(true);
    try (ContrailConsumer consumer =
        workplace
            .consumer()
            .meters(meters)
            .breaker(new BreakerPolicy(Duration.ofMillis(500), 3, Duration.ofMillis(100)))
            .handler(
                delivery -> {
                  if (down.get()) {
                    throw new IllegalStateException("down");
                  }
                })
            .start()) {
      workplace.publish(10, "work");
      await()
          .atMost(Workplace.SOON)
          .untilAsserted(() -> assertThat(series("contrail_breaker_open")).isEqualTo(1));
      assertThat(series("contrail_notices_total", "kind", "breaker-opened")).isPositive();
      down.set(false);
      workplace.awaitEmpty();
      await()
          .atMost(Workplace.SOON)
          .untilAsserted(() -> assertThat(series("contrail_breaker_open")).isZero());
    }
  }

  @Test
  void consumers_of_one_name_are_added_up_and_their_meters_go_with_the_last() throws Exception {
    try (ContrailConsumer first = idle();
        ContrailConsumer second = idle()) {
      workplace.publish(50, "ok");
      workplace.awaitEmpty();
      await()
          .atMost(Workplace.SOON)
          .untilAsserted(
              () ->
                  assertThat(series("contrail_deliveries_total", "outcome", "done")).isEqualTo(50));
      assertThat(series("contrail_workers")).isEqualTo(2);
      first.close();
      assertThat(series("contrail_workers")).isEqualTo(1);
      assertThat(series("contrail_deliveries_total", "outcome", "done"))
          .as("a count never falls")
          .isEqualTo(50);
    }
    assertThat(registry.getMeters()).isEmpty();
    try (ContrailConsumer third = idle()) {
      assertThat(series("contrail_workers")).isEqualTo(1);
      assertThat(series("contrail_deliveries_total", "outcome", "done")).isZero();
    }
  }

  @Test
  void what_throws_while_measuring_is_told_once_and_stops_nothing() throws Exception {
    try (LogCapture logged = new LogCapture();
        ContrailConsumer consumer =
            workplace
                .consumer()
                .meters(
                    figures ->
                        new ConsumerMeters.Meter() {
                          @Override
                          public void handled(boolean done, long nanos) {
                            throw new IllegalStateException("a broken meter");
                          }

                          @Override
                          public void close() {
                            throw new IllegalStateException("a broken meter");
                          }
                        })
                .handler(delivery -> {})
                .start()) {
      workplace.publish(20, "ok");
      workplace.awaitEmpty();
      consumer.close();
      assertThat(logged.at(ch.qos.logback.classic.Level.ERROR))
          .singleElement()
          .asString()
          .contains("what measures it threw");
    }
  }

  private ContrailConsumer idle() {
    return workplace.consumer().meters(ContrailMeters.in(registry)).handler(delivery -> {}).start();
  }

  private void limitDeadLetters(long most) throws Exception {
    String name = workplace.names.deadLetterStream();
    StreamConfiguration now = workplace.management.getStreamInfo(name).getConfiguration();
    workplace.management.updateStream(
        StreamConfiguration.builder(now)
            .maxBytes(most == 0 ? 1 : -1)
            .discardPolicy(DiscardPolicy.New)
            .build());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private double series(String name, String... labels) {
    String key = key(name, labels);
    Double value = all().get(key);
    assertThat(value).as(key).isNotNull();
    return requireNonNull(value);
  }

  private String key(String name, String... labels) {
    Map<String, String> sorted =
        new TreeMap<>(Map.of("stream", workplace.stream, "consumer", "worker"));
    for (int i = 0; i < labels.length; i += 2) {
      sorted.put(labels[i], labels[i + 1]);
    }
    if (name.endsWith("_bucket")) {
      sorted.put("le", "+Inf");
    }
    return name + sorted;
  }

  /** Every series by its name and its labels, sorted. */
  private Map<String, Double> all() {
    Map<String, Double> all = new TreeMap<>();
    for (String line : registry.scrape().split("\n", -1)) {
      if (!line.startsWith("#") && !line.isEmpty()) {
        int end = line.lastIndexOf(' ');
        String name = line.substring(0, line.indexOf('{'));
        Map<String, String> labels = new TreeMap<>();
        for (String pair : line.substring(line.indexOf('{') + 1, end - 1).split(",", -1)) {
          labels.put(
              pair.substring(0, pair.indexOf('=')),
              pair.substring(pair.indexOf('=') + 2, pair.length() - 1));
        }
        all.put(name + labels, Double.parseDouble(line.substring(end + 1)));
      }
    }
    return all;
  }
}
