package dev.contrail.jetstream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.contrail.jetstream.report.PauseOrder;
import dev.contrail.jetstream.report.PauseScope;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workers do what operators tell them, from outside. */
@OnEveryServer
class ToldToPauseTest {
  private static final Duration PROMPTLY = Duration.ofSeconds(3);

  private final NatsServerBinary binary;
  private final AtomicInteger done = new AtomicInteger();
  private final Set<ConsumerNotice.Kind> told = ConcurrentHashMap.newKeySet();
  private final Set<String> tellers = ConcurrentHashMap.newKeySet();
  private Workplace workplace;

  ToldToPauseTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    workplace = Workplace.workqueue(Servers.shared(binary));
  }

  @AfterEach
  void close() {
    workplace.close();
  }

  private ContrailConsumer worker(String name) {
    return workplace
        .consumer()
        .workerName(name)
        .handler(delivery -> done.incrementAndGet())
        .onNotice(
            notice -> {
              told.add(notice.kind());
              tellers.add(Thread.currentThread().getName());
            })
        .start();
  }

  private void provision() {
    new Provisioning(
            workplace.connection,
            JetStreamOptions.defaultOptions(),
            InitPlan.of(workplace.names),
            Provision.CREATE)
        .ensure(List.of(Store.PAUSES));
  }

  private void tell(PauseScope scope, boolean pause) throws Exception {
    provision();
    store(
        scope, new PauseOrder(scope, pause, "ann@ops", Instant.now(), "the bank is down").encode());
  }

  private void store(PauseScope scope, byte[] order) throws Exception {
    workplace
        .connection
        .jetStream()
        .publish("$KV." + workplace.names.pausesBucket() + "." + scope.key(), order);
  }

  private static void awaitPaused(ContrailConsumer worker, boolean paused) {
    await().atMost(PROMPTLY).until(() -> worker.status().paused() == paused);
  }

  @Test
  void a_pause_stops_deliveries_until_it_is_ended() throws Exception {
    PauseScope scope = PauseScope.of(workplace.stream, "worker");
    try (LogCapture log = new LogCapture();
        ContrailConsumer worker = worker("ann")) {
      workplace.publish("before");
      workplace.awaitEmpty();

      tell(scope, true);
      awaitPaused(worker, true);
      await().atMost(Workplace.SOON).until(() -> workplace.consumerInfo().getNumWaiting() == 0);
      workplace.publish(20, "work");

      assertThat(workplace.consumerInfo().getNumPending()).isEqualTo(20);
      assertThat(log.at(Level.WARN))
          .anyMatch(it -> it.contains("told to pause by ann@ops: the bank is down"));
      assertThat(told).contains(ConsumerNotice.Kind.PAUSED);

      tell(scope, false);
      awaitPaused(worker, false);
      workplace.awaitEmpty();
      assertThat(done).hasValue(21);
      assertThat(told).contains(ConsumerNotice.Kind.RESUMED);
      assertThat(tellers)
          .as("threads that listeners are called on")
          .containsOnly("contrail-worker-worker");
    }
  }

  @Test
  void who_starts_while_its_consumer_is_paused_begins_so() throws Exception {
    try (ContrailConsumer first = worker("ann")) {
      tell(PauseScope.of(workplace.stream), true);
      awaitPaused(first, true);
    }
    workplace.publish(20, "work");
    try (ContrailConsumer second = worker("bob")) {
      await().atMost(PROMPTLY).until(() -> second.status().paused());
      assertThat(second.status().counts().delivered()).isZero();
      assertThat(done).hasValue(0);

      tell(PauseScope.of(workplace.stream), false);
      workplace.awaitEmpty();
      assertThat(done).hasValue(20);
    }
  }

  @Test
  void one_of_two_workers_can_be_told_by_its_name() throws Exception {
    try (ContrailConsumer ann = worker("ann");
        ContrailConsumer bob = worker("bob, \"the * builder\" > é")) {
      tell(PauseScope.of(workplace.stream, "worker", "bob, \"the * builder\" > é"), true);
      awaitPaused(bob, true);
      workplace.publish(50, "work");
      workplace.awaitEmpty();

      assertThat(ann.status().paused()).isFalse();
      await().atMost(Workplace.SOON).until(() -> ann.status().counts().done() == 50);
      assertThat(bob.status().counts().done()).isZero();
    }
  }

  @Test
  void the_application_s_own_pause_and_that_of_operators_do_not_end_each_other() throws Exception {
    PauseScope scope = PauseScope.of(workplace.stream, "worker");
    try (ContrailConsumer worker = worker("ann")) {
      tell(scope, true);
      awaitPaused(worker, true);
      worker.pause();
      worker.resume();
      worker.pause();
      tell(scope, false);
      await().atMost(PROMPTLY).until(() -> told.contains(ConsumerNotice.Kind.RESUMED));
      assertThat(worker.status().paused()).as("by the application").isTrue();
      worker.resume();
      awaitPaused(worker, false);
    }
  }

  @Test
  void what_was_told_while_the_server_was_away_is_done_after_the_reconnect() throws Exception {
    workplace.close();
    try (NatsServer server = NatsServer.builder().binary(binary).start();
        Workplace own = Workplace.workqueue(server);
        Connection other = Contrail.connect(server.url())) {
      workplace = own;
      PauseScope scope = PauseScope.of(own.stream, "worker");
      provision();
      try (ContrailConsumer worker = worker("ann")) {
        server.restart();
        await()
            .atMost(Workplace.SOON)
            .ignoreExceptions()
            .untilAsserted(
                () ->
                    other
                        .jetStream()
                        .publish(
                            "$KV." + own.names.pausesBucket() + "." + scope.key(),
                            new PauseOrder(scope, true, "ann", Instant.now(), "").encode()));
        await().atMost(Workplace.SOON).until(() -> worker.status().paused());
        server.restart();
        await()
            .atMost(Workplace.SOON)
            .until(() -> own.connection.getStatus() == Connection.Status.CONNECTED);
        assertThat(worker.status().paused()).as("after the server came back").isTrue();
      }
    }
  }

  @Test
  void what_is_no_pause_or_from_a_newer_release_stops_nobody() throws Exception {
    PauseScope scope = PauseScope.of(workplace.stream, "worker");
    provision();
    store(scope, "{\"version\":2,\"paused\":true}".getBytes(UTF_8));
    store(PauseScope.of(workplace.stream), "[[[".getBytes(UTF_8));
    PauseScope elsewhere = PauseScope.of("OTHER", "worker");
    store(
        PauseScope.of(workplace.stream, "worker", "ann"),
        new PauseOrder(elsewhere, true, "eve", Instant.now(), "").encode());
    try (LogCapture log = new LogCapture();
        ContrailConsumer worker = worker("ann")) {
      workplace.publish(10, "work");
      workplace.awaitEmpty();
      await().atMost(Workplace.SOON).until(() -> worker.status().counts().done() == 10);
      await()
          .atMost(Workplace.SOON)
          .until(
              () -> log.at(Level.WARN).stream().anyMatch(it -> it.contains("by a newer release")));
    }
  }
}
