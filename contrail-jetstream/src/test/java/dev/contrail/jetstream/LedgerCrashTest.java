package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.contrail.server.NatsServerBinary;
import io.nats.client.api.RetentionPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Worker processes that are killed around the record of a completion. */
@Tag("slow")
@OnEveryServer
class LedgerCrashTest {
  private static final int NEIGHBOURS = 20;

  /** Several times AckWait, and the shortest time after which a ledger in Redis may forget. */
  private static final Duration DOWNTIME = Duration.ofSeconds(4);

  private final NatsServerBinary binary;
  private Workplace workplace;
  @TempDir Path folder;

  LedgerCrashTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    // Messages stay after their ack, so nothing but the ledger knows what is done.
    workplace = Workplace.on(Servers.shared(binary), RetentionPolicy.Limits);
  }

  @AfterEach
  void close() {
    workplace.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"AFTER_RECORD", "AFTER_ACK"})
  void a_worker_killed_after_the_record_leaves_nothing_to_be_run_again(Fault fault)
      throws Exception {
    killOnceAt(fault);
  }

  @Test
  void the_same_is_seen_to_fail_when_the_message_is_acked_first() {
    assertThatThrownBy(() -> killOnceAt(Fault.ACK_FIRST_THEN_BEFORE_RECORD))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("runs of each message");
  }

  private void killOnceAt(Fault fault) throws Exception {
    workplace.publish("ok");
    killAt(fault);
    // As a server does that loses what it knew of acks.
    workplace.management.deleteConsumer(workplace.stream, "worker");
    finishTheRest();
    assertThat(runs().values()).as("runs of each message").allMatch(count -> count == 1);
  }

  @Test
  void what_was_recorded_is_not_run_again_however_late_it_is_delivered_again() throws Exception {
    long recorded = workplace.publish("ok");
    killAt(Fault.AFTER_RECORD);
    long killedNanos = System.nanoTime();
    await().until(() -> System.nanoTime() - killedNanos > DOWNTIME.toNanos());
    assertThat(workplace.consumerInfo().getAckFloor().getStreamSequence()).isLessThan(recorded);

    finishTheRest();

    assertThat(runs().values()).as("runs of each message").allMatch(count -> count == 1);
    assertThat(
            workplace
                .management
                .getStreamInfo(workplace.names.ledgerStream())
                .getConfiguration()
                .getMaxAge())
        .as("time after which the ledger forgets by itself")
        .isZero();
  }

  @Test
  void a_worker_killed_before_the_record_repeats_just_what_it_had_not_recorded() throws Exception {
    long first = workplace.publish("ok");
    killAt(Fault.BEFORE_RECORD);
    finishTheRest();
    Map<Long, Integer> runs = runs();
    assertThat(runs).as("the message in the window of the crash").containsEntry(first, 2);
    runs.remove(first);
    assertThat(runs.values()).as("runs of the others").allMatch(count -> count == 1);
  }

  @Test
  void whatever_was_recorded_stays_so_when_the_consumer_is_deleted_and_made_again()
      throws Exception {
    workplace.publish(NEIGHBOURS, "ok");
    WorkerOrders orders = WorkerOrders.of(workplace, effects());
    try (WorkerProcess worker = WorkerProcess.start(orders)) {
      worker.await("started");
      awaitAllAcked();
      worker.drain();
    }
    workplace.management.deleteConsumer(workplace.stream, "worker");
    finishTheRest();
    assertThat(runs().values()).as("runs of each message").allMatch(count -> count == 1);
  }

  private void killAt(Fault fault) {
    WorkerOrders orders = WorkerOrders.of(workplace, effects()).withFault(fault);
    try (WorkerProcess worker = WorkerProcess.start(orders)) {
      worker.await("reached").kill();
    }
  }

  private void finishTheRest() throws Exception {
    workplace.publish(NEIGHBOURS, "ok");
    try (WorkerProcess worker = WorkerProcess.start(WorkerOrders.of(workplace, effects()))) {
      worker.await("started");
      awaitAllAcked();
      worker.drain();
    }
  }

  private void awaitAllAcked() {
    await()
        .atMost(Workplace.SOON)
        .until(
            () ->
                workplace.consumerInfo().getAckFloor().getStreamSequence() == workplace.messages());
  }

  private Path effects() {
    return folder.resolve("effects");
  }

  private Map<Long, Integer> runs() throws IOException {
    List<String> lines = Files.readAllLines(effects());
    return lines.stream()
        .collect(Collectors.toMap(Long::valueOf, line -> 1, Integer::sum, TreeMap::new));
  }
}
