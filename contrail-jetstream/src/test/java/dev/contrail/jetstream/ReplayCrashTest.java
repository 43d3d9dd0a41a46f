package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.contrail.event.ReplayOutcome;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.api.RetentionPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Worker processes that are killed while they process a copy that a replay published. Messages stay
 * in the stream and its consumer is deleted after the kill, so that every copy is delivered again.
 */
@Tag("slow")
@OnEveryServer
class ReplayCrashTest {
  private final NatsServerBinary binary;
  private Workplace workplace;
  private Copies copies;
  @TempDir Path folder;

  ReplayCrashTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    workplace = Workplace.on(Servers.shared(binary), RetentionPolicy.Limits);
    copies = Copies.on(workplace, RetentionPolicy.Limits);
  }

  @AfterEach
  void close() {
    workplace.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"BEFORE_CLAIM", "AFTER_CLAIM", "AFTER_OUTCOME", "AFTER_RECORD", "AFTER_ACK"})
  void a_copy_is_processed_once_and_told_as_resolved_wherever_its_worker_is_killed(Fault fault)
      throws Exception {
    assertThat(runsWhenKilledAt(fault)).isEqualTo(1);
  }

  @Test
  void killed_between_the_handler_and_the_outcome_the_handler_runs_again() throws Exception {
    assertThat(runsWhenKilledAt(Fault.BEFORE_OUTCOME)).isEqualTo(2);
  }

  @Test
  void a_copy_that_is_acked_first_is_seen_to_stay_without_an_outcome() throws Exception {
    Copies.Replay replay = copies.decide();
    replay.publish("ok");
    killAt(Fault.ACK_FIRST_THEN_BEFORE_RECORD);
    workUntilAllIsAcked();
    assertThatThrownBy(() -> assertResolved(replay))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("outcome of the replay");
  }

  private int runsWhenKilledAt(Fault fault) throws Exception {
    Copies.Replay replay = copies.decide();
    replay.publish("ok");
    killAt(fault);
    // A second copy, from a replayer that did not know of the first one.
    replay.publishOutsideOfWindow("ok");
    forgetAcks();
    workUntilAllIsAcked();
    assertResolved(replay);
    return runs();
  }

  @ParameterizedTest
  @EnumSource(names = {"BEFORE_EVIDENCE", "BEFORE_OUTCOME", "AFTER_OUTCOME", "AFTER_TERM"})
  void a_copy_that_dies_again_has_one_dead_letter_and_is_told_as_that(Fault fault)
      throws Exception {
    Copies.Replay replay = copies.decide();
    replay.publish("reject");
    killAt(fault);
    if (fault == Fault.AFTER_TERM) {
      forgetAcks();
    }
    workUntilAllIsAcked();
    assertReturned(replay);
  }

  @Test
  void a_copy_that_is_terminated_first_is_seen_to_stay_without_an_outcome() throws Exception {
    Copies.Replay replay = copies.decide();
    replay.publish("reject");
    killAt(Fault.TERM_FIRST_THEN_BEFORE_OUTCOME);
    workUntilAllIsAcked();
    assertThatThrownBy(() -> assertReturned(replay))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("outcome of the replay");
  }

  private static void assertResolved(Copies.Replay replay) {
    assertThat(replay.outcome())
        .as("outcome of the replay")
        .hasValueSatisfying(it -> assertThat(it).isInstanceOf(ReplayOutcome.Resolved.class));
  }

  private void assertReturned(Copies.Replay replay) {
    assertThat(replay.outcome())
        .as("outcome of the replay")
        .contains(new ReplayOutcome.Returned(workplace.awaitDeadLetter().id()));
  }

  private void killAt(Fault fault) {
    try (WorkerProcess worker = WorkerProcess.start(orders().withFault(fault))) {
      worker.await("reached").kill();
    }
  }

  /** As a server does that loses what it knew. */
  private void forgetAcks() throws Exception {
    workplace.management.deleteConsumer(workplace.stream, "worker");
  }

  private void workUntilAllIsAcked() {
    try (WorkerProcess worker = WorkerProcess.start(orders())) {
      worker.await("started");
      await()
          .atMost(Workplace.SOON)
          .until(
              () ->
                  workplace.consumerInfo().getAckFloor().getStreamSequence()
                      == workplace.messages());
    }
  }

  private WorkerOrders orders() {
    return WorkerOrders.of(workplace, folder.resolve("effects"));
  }

  private int runs() throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve("effects"));
    return lines.size();
  }
}
