package dev.contrail.operations.workers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.contrail.RetryAfterException;
import dev.contrail.engine.WorkerCounts;
import dev.contrail.event.Act;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.report.PauseOrder;
import dev.contrail.jetstream.report.PauseScope;
import dev.contrail.jetstream.report.WorkerReport;
import dev.contrail.operations.TestServer;
import dev.contrail.operations.acts.Acts;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.api.RetentionPolicy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What operators see of workers, and tell them. */
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.TestServer#binaries")
class WorkersTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final NatsServerBinary binary;
  private TestServer place;
  private Workers workers;
  private Pauses pauses;

  WorkersTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    place = TestServer.start(binary);
    place.addStream("ORDERS", RetentionPolicy.Limits);
    workers =
        new Workers(place.connection, TestServer.OPTIONS, TestServer.NAMES, InstantSource.system());
    pauses =
        new Pauses(
            place.connection,
            TestServer.OPTIONS,
            TestServer.NAMES,
            Provision.CREATE,
            InstantSource.system());
  }

  @AfterEach
  void close() {
    place.close();
  }

  private ContrailConsumer worker(String consumer, String name) {
    return Contrail.consumer(place.connection, "ORDERS", consumer)
        .workerName(name)
        .handler(
            delivery -> {
              if (new String(delivery.data(), UTF_8).equals("later")) {
                throw new RetryAfterException(Duration.ofMinutes(10));
              }
            })
        .start();
  }

  @Test
  void where_nobody_ever_worked_there_is_nothing_and_no_failure() {
    assertThat(workers.latest()).isEqualTo(Roll.EMPTY);
    assertThat(workers.look()).isEqualTo(Roll.EMPTY);
    assertThat(pauses.standing()).isEmpty();
  }

  @Test
  void a_look_that_fails_makes_what_was_seen_no_younger() throws Exception {
    assertThat(workers.lastLook()).isEmpty();
    workers.look();
    Optional<Look> last = workers.lastLook();
    assertThat(last).isPresent();
    place.connection.close();
    assertThatThrownBy(workers::look).isInstanceOf(ContrailException.class);
    assertThat(workers.lastLook()).isEqualTo(last);
  }

  @Test
  void all_are_seen_with_what_they_do_and_are_told() throws Exception {
    place.connection.jetStream().publish("ORDERS.new", "later".getBytes(UTF_8));
    try (ContrailConsumer bob = worker("billing", "bob");
        ContrailConsumer ann = worker("billing", "ann");
        ContrailConsumer mail = worker("mail", "carl")) {
      await()
          .atMost(SOON)
          .until(
              () ->
                  workers.look().workers().size() == 3
                      && workers.latest().workers().stream().mapToLong(WorkerSeen::retrying).sum()
                          == 2);
      assertThat(workers.latest().workers())
          .extracting(it -> it.report().who().name())
          .containsExactly("ann", "bob", "carl");
      assertThat(workers.latest().of(Optional.of("ORDERS"), Optional.of("mail")).workers())
          .hasSize(1);

      PauseOrder order =
          pauses.pause(PauseScope.of("ORDERS", "billing", "bob"), "ops@desk", "a look");

      await()
          .atMost(SOON)
          .until(() -> workers.look().workers().stream().anyMatch(WorkerSeen::isPaused));
      assertThat(bob.status().paused()).isTrue();
      assertThat(ann.status().paused()).isFalse();
      assertThat(mail.status().paused()).isFalse();
      assertThat(workers.latest().pauses()).containsExactly(order);
      assertThat(workers.latest().among(order.scope()))
          .singleElement()
          .satisfies(it -> assertThat(it.pause()).contains(order));

      pauses.resume(order.scope(), "ops@desk");
      await()
          .atMost(SOON)
          .until(() -> workers.look().workers().stream().noneMatch(WorkerSeen::isPaused));
      assertThat(pauses.standing()).isEmpty();
      assertThat(new Acts(place.connection, TestServer.OPTIONS, TestServer.NAMES).newest(10).acts())
          .extracting(Act::kind, Act::by, Act::what, Act::because)
          .containsExactly(
              tuple(Act.Kind.WORKERS_RESUMED, "ops@desk", order.scope().toString(), ""),
              tuple(Act.Kind.WORKERS_PAUSED, "ops@desk", order.scope().toString(), "a look"));
    }
    assertThat(workers.look().workers()).as("after they ended").isEmpty();
  }

  /** The record comes first: killed in between, nothing was done that is not on record. */
  @Test
  void what_cannot_be_put_on_record_is_not_done() throws Exception {
    PauseScope all = PauseScope.of("ORDERS");
    pauses.pause(all, "ops", "");
    pauses.resume(all, "ops");
    place.connection.jetStreamManagement().deleteStream(TestServer.NAMES.eventStream());
    Pauses verifying =
        new Pauses(
            place.connection,
            TestServer.OPTIONS,
            TestServer.NAMES,
            Provision.VERIFY,
            InstantSource.system());

    assertThatThrownBy(() -> verifying.pause(all, "ops", ""))
        .isInstanceOf(ContrailException.class)
        .hasMessageContaining(TestServer.NAMES.eventStream());
    assertThat(pauses.standing()).isEmpty();
  }

  @Test
  void a_pause_outlasts_what_workers_tell() throws Exception {
    pauses.pause(PauseScope.of("ORDERS"), "ops", "");
    assertThat(
            place
                .management
                .getStreamInfo("KV_" + TestServer.NAMES.pausesBucket())
                .getConfiguration()
                .getMaxAge())
        .as("age at which pauses are forgotten")
        .isZero();
    place.restart();
    try (ContrailConsumer worker = worker("billing", "ann")) {
      await().atMost(SOON).until(() -> worker.status().paused());
      await().atMost(SOON).until(() -> workers.look().among(PauseScope.of("ORDERS")).size() == 1);
      assertThat(workers.latest().workers().get(0).pause()).isPresent();
    }
  }

  @Test
  void what_is_forged_or_newer_gets_a_sentence_and_the_rest_is_read() throws Exception {
    try (ContrailConsumer ann = worker("billing", "ann")) {
      await().atMost(SOON).until(() -> workers.look().workers().size() == 1);
      pauses.pause(PauseScope.of("ORDERS", "mail"), "ops", "");
      String bucket = "$KV." + TestServer.NAMES.workersBucket() + ".";
      byte[] report = workers.latest().workers().get(0).report().encode();
      Connection connection = place.connection;
      connection
          .jetStream()
          .publish(bucket + "ORDERS.billing.x", "{\"version\":9}".getBytes(UTF_8));
      connection.jetStream().publish(bucket + "ORDERS.billing.y", new byte[] {0, 1, (byte) 0xff});
      connection.jetStream().publish(bucket + "ORDERS.mail.z", report);
      connection
          .jetStream()
          .publish(
              "$KV." + TestServer.NAMES.pausesBucket() + ".ORDERS",
              new PauseOrder(
                      PauseScope.of("OTHER"), true, "eve", InstantSource.system().instant(), "")
                  .encode());

      Roll roll = workers.look();

      assertThat(roll.workers()).hasSize(1);
      assertThat(roll.pauses()).hasSize(1);
      assertThat(roll.unreadable())
          .hasSize(4)
          .anyMatch(it -> it.contains("newer release, in version 9"))
          .anyMatch(it -> it.contains("is no JSON"))
          .anyMatch(it -> it.contains("ORDERS.mail.z, and of another worker"))
          .anyMatch(it -> it.contains("A pause is stored under ORDERS, where workers ignore it"));
      assertThat(ann.status().paused()).isFalse();
    }
  }

  @Test
  void changes_between_two_looks_are_told_in_words() {
    PauseOrder order =
        new PauseOrder(PauseScope.of("ORDERS"), true, "ann", InstantSource.system().instant(), "");
    Roll paused = new Roll(java.util.List.of(), java.util.List.of(order), java.util.List.of());
    assertThat(RollChanges.between(Roll.EMPTY, paused).paused()).containsExactly("ORDERS, by ann");
    assertThat(RollChanges.between(paused, Roll.EMPTY).resumed()).containsExactly("ORDERS, by ann");
    assertThat(RollChanges.between(paused, paused).isNone()).isTrue();
  }

  private static Roll broken(String instance, boolean open) {
    java.time.Instant at = InstantSource.system().instant();
    return Roll.of(
        java.util.List.of(
            new WorkerReport(
                new WorkerReport.Who("ann", instance, "1", Optional.empty(), "ORDERS", "mail", at),
                at,
                new WorkerCounts(0, 0, 0, 0, 0, 0, 0, 0),
                WorkerReport.Rates.NONE,
                new WorkerReport.Load(1, 1, Optional.empty()),
                false,
                open ? Optional.of(new WorkerReport.OpenBreaker(at, "", "")) : Optional.empty(),
                java.util.List.of(),
                java.util.List.of(),
                0)),
        java.util.List.of(),
        java.util.List.of());
  }

  @Test
  void a_breaker_that_goes_with_its_worker_is_no_good_news() {
    String breaker = "circuit breaker open: ORDERS mail, worker ann";
    Roll open = broken("a", true);
    assertThat(RollChanges.between(Roll.EMPTY, open).worse()).containsExactly(breaker);
    assertThat(RollChanges.between(open, broken("a", false)).better()).containsExactly(breaker);
    assertThat(RollChanges.between(open, Roll.EMPTY).better()).isEmpty();
    assertThat(RollChanges.between(open, broken("b", false)).better())
        .as("another process under its name")
        .isEmpty();
  }
}
