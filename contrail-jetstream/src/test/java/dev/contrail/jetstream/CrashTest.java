package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.evidence.DeadLetter;
import dev.contrail.server.NatsServerBinary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Worker processes that are killed, at the worst moments or by the message itself. */
@Tag("slow")
@OnEveryServer
class CrashTest {
  private static final int NEIGHBOURS = 20;

  private final NatsServerBinary binary;
  private Workplace workplace;
  @TempDir Path folder;

  CrashTest(NatsServerBinary binary) {
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

  @ParameterizedTest
  @EnumSource(names = {"BEFORE_EVIDENCE", "BETWEEN_PARTS_AND_HEAD", "AFTER_EVIDENCE", "AFTER_TERM"})
  void a_worker_killed_on_the_way_of_a_dying_message_leaves_one_dead_letter_and_loses_nothing(
      Fault fault) throws Exception {
    killOnceAt(fault);
  }

  @Test
  void the_same_is_seen_to_fail_when_the_message_is_terminated_first() {
    assertThatThrownBy(() -> killOnceAt(Fault.TERM_FIRST_THEN_BEFORE_EVIDENCE))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("dead letters");
  }

  private void killOnceAt(Fault fault) throws Exception {
    boolean evidenceWasStored = fault == Fault.AFTER_EVIDENCE || fault == Fault.AFTER_TERM;
    String payload = "reject " + "x".repeat(fault == Fault.BETWEEN_PARTS_AND_HEAD ? 1_040_000 : 9);
    long dying = workplace.publish(payload);
    workplace.publish(NEIGHBOURS, "ok");
    WorkerOrders orders = WorkerOrders.of(workplace, effects());
    try (WorkerProcess first = WorkerProcess.start(orders.withFault(fault))) {
      first.await("reached").kill();
    }
    int runsBefore = runs(dying);
    try (WorkerProcess second =
        WorkerProcess.start(evidenceWasStored ? orders.thatSucceeds() : orders)) {
      second.await("started");
      workplace.awaitEmpty();
      second.drain();
    }
    assertThat(workplace.deadLetters()).as("dead letters").hasSize(1);
    DeadLetter letter = workplace.deadLetters().get(0);
    assertThat(letter.id().sequence()).isEqualTo(dying);
    assertThat(Workplace.text(letter)).isEqualTo(payload);
    assertThat(allRun()).as("neighbours that were run").contains(neighboursOf(dying));
    if (evidenceWasStored) {
      assertThat(runs(dying)).as("runs once the dead letter exists").isEqualTo(runsBefore);
    }
  }

  @Test
  void a_message_that_halts_its_worker_gets_one_dead_letter_and_its_neighbours_finish()
      throws Exception {
    long killer = workplace.publish("halt");
    workplace.publish(NEIGHBOURS, "ok");
    WorkerOrders orders = WorkerOrders.of(workplace, effects()).withDeliveryLimit(3);
    int deaths = 0;
    while (workplace.messages() > 0) {
      assertThat(deaths++).as("workers killed by a message with limit 3").isLessThan(5);
      try (WorkerProcess worker = WorkerProcess.start(orders)) {
        worker.await(lines -> lines.contains("running " + killer) || workplace.messages() == 0);
        if (workplace.messages() > 0) {
          worker.awaitEnd();
        }
      }
    }
    DeadLetter letter = workplace.awaitDeadLetter();
    assertThat(letter.id().sequence()).isEqualTo(killer);
    assertThat(letter.death().failure().message()).contains("no outcome recorded");
    assertThat(allRun()).as("neighbours that were run").contains(neighboursOf(killer));
  }

  private Path effects() {
    return folder.resolve("effects");
  }

  private int runs(long sequence) throws IOException {
    return (int) allRun().stream().filter(run -> run == sequence).count();
  }

  private List<Long> allRun() throws IOException {
    return Files.readAllLines(effects()).stream().map(Long::valueOf).toList();
  }

  private static Long[] neighboursOf(long sequence) {
    return LongStream.rangeClosed(sequence + 1, sequence + NEIGHBOURS).boxed().toArray(Long[]::new);
  }
}
