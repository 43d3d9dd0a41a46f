package dev.contrail.jetstream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.contrail.RejectedMessageException;
import dev.contrail.RetryAfterException;
import dev.contrail.jetstream.report.WorkerReport;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.KeyValueConfiguration;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamInfoOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What workers tell of themselves. */
@OnEveryServer
class WorkerReportsTest {
  private static final Duration OFTEN = Duration.ofMillis(300);

  private final NatsServerBinary binary;
  private Workplace workplace;
  @TempDir private Path folder;

  WorkerReportsTest(NatsServerBinary binary) {
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

  private ConsumerBuilder<byte[]> worker(String name) {
    return workplace.consumer().workerName(name).options(it -> it.reportEvery = OFTEN);
  }

  /** Those that are stored, by name. */
  private List<WorkerReport> reports() {
    String stream = "KV_" + workplace.names.workersBucket();
    JetStreamApi api = new JetStreamApi(workplace.connection, JetStreamOptions.defaultOptions());
    try {
      return workplace
          .management
          .getStreamInfo(stream, StreamInfoOptions.allSubjects())
          .getStreamState()
          .getSubjects()
          .stream()
          .flatMap(subject -> api.last(stream, subject.getName()).join().stream())
          .map(StoredMessage::data)
          .filter(data -> data.length > 0)
          .map(WorkerReport::decode)
          .sorted(java.util.Comparator.comparing(it -> it.who().name()))
          .toList();
    } catch (Exception e) {
      return List.of();
    }
  }

  private WorkerReport awaitReport(java.util.function.Predicate<WorkerReport> right) {
    return await()
        .atMost(Workplace.SOON)
        .until(() -> reports().stream().filter(right).findFirst(), Optional::isPresent)
        .orElseThrow();
  }

  @Test
  void a_worker_tells_who_it_is_and_what_it_does() throws Exception {
    Instant before = Instant.now();
    CountDownLatch hold = new CountDownLatch(1);
    try (ContrailConsumer worker =
        worker("ann")
            .appVersion("4.2")
            .concurrency(1)
            .handler(
                delivery -> {
                  switch (new String(delivery.data(), UTF_8)) {
                    case "reject" -> throw new RejectedMessageException("no");
                    case "later" ->
                        throw new RetryAfterException(
                            Duration.ofMinutes(10),
                            new IllegalStateException("order 4711 of ann@example.org"));
                    case "hang" -> hold.await();
                    default -> {}
                  }
                })
            .start()) {
      for (String word : List.of("fine", "fine", "reject", "later", "later", "hang")) {
        workplace.publish(word);
      }

      WorkerReport report =
          awaitReport(it -> it.counts().retried() == 2 && it.load().oldestRunning().isPresent());

      assertThat(report.who().name()).isEqualTo("ann");
      assertThat(report.who().app()).contains("4.2");
      assertThat(report.who().contrail()).isNotBlank();
      assertThat(report.who().stream()).isEqualTo(workplace.stream);
      assertThat(report.who().consumer()).isEqualTo("worker");
      assertThat(report.who().startedAt()).isBetween(before, Instant.now());
      assertThat(report.counts().done()).isEqualTo(2);
      assertThat(report.counts().dead()).isEqualTo(1);
      assertThat(report.load().inFlight()).isEqualTo(1);
      assertThat(report.load().oldestRunning().orElseThrow()).isBetween(before, Instant.now());
      assertThat(report.paused()).isFalse();
      assertThat(report.breaker()).isEmpty();
      assertThat(report.holds()).isEmpty();
      assertThat(report.retrying()).hasSize(1);
      WorkerReport.Retrying retrying = report.retrying().get(0);
      assertThat(retrying.messages()).isEqualTo(2);
      assertThat(retrying.mostDeliveries()).isEqualTo(1);
      assertThat(retrying.what())
          .contains("RetryAfterException")
          .doesNotContain("4711")
          .doesNotContain("example.org");
      assertThat(retrying.fingerprint()).hasSize(12);
      assertThat(awaitReport(it -> it.at().isAfter(report.at())).who()).isEqualTo(report.who());
      hold.countDown();
      assertThat(worker.status().counts().lost()).isZero();
    }
  }

  @Test
  void what_succeeds_in_the_end_is_not_told_to_be_retrying() throws Exception {
    AtomicBoolean seen = new AtomicBoolean();
    try (ContrailConsumer worker =
        worker("ann")
            .handler(
                delivery -> {
                  if (!seen.get()) {
                    throw new RetryAfterException(Duration.ofSeconds(1));
                  }
                })
            .start()) {
      workplace.publish("once");

      assertThat(awaitReport(it -> !it.retrying().isEmpty()).retrying().get(0).messages())
          .isEqualTo(1);
      seen.set(true);
      WorkerReport after = awaitReport(it -> it.counts().done() == 1 && it.retrying().isEmpty());
      assertThat(after.counts().retried()).isPositive();
      assertThat(after.perSecond().processed()).isPositive();
      assertThat(after.perSecond().retried()).isPositive();
      assertThat(worker.status().inFlight()).isZero();
    }
  }

  @Test
  void two_workers_of_one_name_are_two_and_who_ends_is_gone_at_once() throws Exception {
    try (ContrailConsumer first = worker("ann").handler(delivery -> {}).start()) {
      ContrailConsumer second = worker("ann").handler(delivery -> {}).start();
      await().atMost(Workplace.SOON).until(() -> reports().size() == 2);

      second.close();

      assertThat(reports()).as("right after the end of one").hasSize(1);
      assertThat(first.status().paused()).isFalse();
    }
    assertThat(reports()).as("right after the end of both").isEmpty();
  }

  @Test
  void who_is_killed_vanishes_with_the_bucket_s_ttl() throws Exception {
    bucket(Duration.ofSeconds(6));
    try (WorkerProcess process =
        WorkerProcess.start(WorkerOrders.of(workplace, folder.resolve("effects")))) {
      await().atMost(Workplace.SOON).until(() -> reports().size() == 1);

      process.kill();

      assertThat(reports()).as("right after the kill").hasSize(1);
      await().atMost(Workplace.SOON).until(() -> reports().isEmpty());
    }
  }

  @Test
  void a_bucket_that_is_missing_and_may_not_be_made_does_not_hurt_the_work() throws Exception {
    workplace.provision();
    try (LogCapture log = new LogCapture();
        ContrailConsumer worker =
            worker("ann").provision(Provision.VERIFY).handler(delivery -> {}).start()) {
      workplace.publish(100, "work");
      workplace.awaitEmpty();
      await()
          .atMost(Workplace.SOON)
          .until(
              () ->
                  log.at(Level.WARN).stream().anyMatch(it -> it.contains("for operators to see")));
      await().atMost(Workplace.SOON).until(() -> worker.status().counts().done() == 100);

      bucket(Duration.ofSeconds(30));

      await().atMost(Workplace.SOON).until(() -> reports().size() == 1);
      await()
          .atMost(Workplace.SOON)
          .until(() -> log.at(Level.INFO).stream().anyMatch(it -> it.contains("stored again")));
      assertThat(log.at(Level.WARN))
          .filteredOn(it -> it.contains("for operators to see"))
          .hasSize(1);
    }
  }

  @Test
  void a_server_that_restarts_is_reported_to_again() throws Exception {
    try (NatsServer server = NatsServer.builder().binary(binary).start();
        Workplace own = Workplace.workqueue(server)) {
      workplace.close();
      workplace = own;
      try (ContrailConsumer worker = worker("ann").handler(delivery -> {}).start()) {
        Instant first = awaitReport(it -> true).at();
        server.restart();
        await()
            .atMost(Workplace.SOON)
            .ignoreExceptions()
            .until(() -> own.connection.getStatus() == io.nats.client.Connection.Status.CONNECTED);
        assertThat(awaitReport(it -> it.at().isAfter(first.plusSeconds(1))).who().name())
            .isEqualTo("ann");
        own.publish(10, "work");
        own.awaitEmpty();
        await().atMost(Workplace.SOON).until(() -> worker.status().counts().done() == 10);
      }
    }
  }

  @Test
  void who_does_not_want_to_is_not_reported() throws Exception {
    try (ContrailConsumer silent = worker("bob").withoutReports().handler(delivery -> {}).start();
        ContrailConsumer other = worker("ann").handler(delivery -> {}).start()) {
      workplace.publish("work");
      WorkerReport seen = awaitReport(it -> true);
      awaitReport(it -> it.at().isAfter(seen.at()));
      assertThat(reports()).extracting(it -> it.who().name()).containsExactly("ann");
      assertThat(silent.name()).isEqualTo(other.name());
    }
  }

  private void bucket(Duration ttl) throws Exception {
    workplace
        .connection
        .keyValueManagement()
        .create(
            KeyValueConfiguration.builder()
                .name(workplace.names.workersBucket())
                .ttl(ttl)
                .storageType(StorageType.File)
                .build());
  }
}
