package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinaries;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.RetentionPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three workers on one durable, one of which is killed every few seconds. */
@Tag("slow")
class WorkersKilledTest {
  private static final int MESSAGES = 50_000;
  private static final int WORKERS = 3;

  /** About what three workers do in a few seconds. */
  private static final int STEP = 4_000;

  /** A worker holds no more than this, and so has no more done and not recorded. */
  private static final int CRASH_WINDOW = 20;

  @TempDir Path folder;
  private int started;

  /** Each worker with a file for its effects. */
  private record Started(WorkerProcess process, Path effects) {
    List<Long> runs() throws IOException {
      return Files.exists(effects)
          ? Files.readAllLines(effects).stream().map(Long::valueOf).toList()
          : List.of();
    }
  }

  @Test
  void each_effect_happens_once_except_in_the_windows_of_the_crashes() throws Exception {
    try (NatsServer server = NatsServer.builder().binary(NatsServerBinaries.newest()).start();
        Workplace workplace = Workplace.on(server, RetentionPolicy.Limits)) {
      workplace.publish(MESSAGES, "ok");
      List<Started> workers = new ArrayList<>();
      List<Started> killed = new ArrayList<>();
      try {
        for (int number = 0; number < WORKERS; number++) {
          workers.add(start(workplace));
        }
        workers.get(0).process.await("started");
        for (long next = STEP; next < MESSAGES; next += STEP) {
          long reached = next;
          await().atMost(Duration.ofMinutes(2)).until(() -> settled(workplace) >= reached);
          Started victim = workers.remove(0);
          victim.process.kill();
          killed.add(victim);
          workers.add(start(workplace));
        }
        await()
            .atMost(Duration.ofMinutes(2))
            .until(() -> workplace.consumerInfo().getAckFloor().getStreamSequence() == MESSAGES);
        assertEachOnceButInCrashWindows(killed, workers);
      } finally {
        workers.forEach(worker -> worker.process.close());
      }
    }
  }

  private static void assertEachOnceButInCrashWindows(List<Started> killed, List<Started> alive)
      throws IOException {
    Map<Long, Integer> runs = new HashMap<>();
    Map<Long, Integer> runsOfKilled = new HashMap<>();
    for (Started worker : killed) {
      worker.runs().forEach(message -> runsOfKilled.merge(message, 1, Integer::sum));
    }
    runs.putAll(runsOfKilled);
    for (Started worker : alive) {
      worker.runs().forEach(message -> runs.merge(message, 1, Integer::sum));
    }
    Map<Long, Integer> again = new TreeMap<>(runs);
    again.values().removeIf(count -> count == 1);
    int extra = again.values().stream().mapToInt(count -> count - 1).sum();
    System.out.printf(
        "%d kills, %d of %d messages run once more%n", killed.size(), extra, MESSAGES);
    assertThat(runs).as("messages that were run").hasSize(MESSAGES);
    assertThat(extra).as("runs too many").isLessThanOrEqualTo(killed.size() * CRASH_WINDOW);
    assertThat(again)
        .as("messages run again after a worker had run them that was not killed")
        .allSatisfy(
            (message, count) ->
                assertThat(runsOfKilled.getOrDefault(message, 0))
                    .isGreaterThanOrEqualTo(count - 1));
  }

  private Started start(Workplace workplace) {
    // So that it takes most of a minute.
    Duration workTime = Duration.ofMillis(10);
    Path effects = folder.resolve("effects-" + started++);
    return new Started(
        WorkerProcess.start(
            WorkerOrders.of(workplace, effects).withWorkTime(workTime).withWindow(CRASH_WINDOW)),
        effects);
  }

  private static long settled(Workplace workplace) {
    ConsumerInfo consumer = workplace.consumerInfo();
    return consumer.getDelivered().getStreamSequence() - consumer.getNumAckPending();
  }
}
