package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinaries;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.RetentionPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
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

  /** What a worker may have done and not recorded: what runs, and the records under way. */
  private static final int CRASH_WINDOW = 50;

  @TempDir Path folder;

  @Test
  void each_effect_happens_once_except_in_the_windows_of_the_crashes() throws Exception {
    try (NatsServer server = NatsServer.builder().binary(NatsServerBinaries.newest()).start();
        Workplace workplace = Workplace.on(server, RetentionPolicy.Limits)) {
      workplace.publish(MESSAGES, "ok");
      List<WorkerProcess> workers = new ArrayList<>();
      try {
        for (int number = 0; number < WORKERS; number++) {
          workers.add(start(workplace, number));
        }
        workers.get(0).await("started");
        int kills = 0;
        for (long next = STEP; next < MESSAGES; next += STEP) {
          long reached = next;
          await().atMost(Duration.ofMinutes(2)).until(() -> settled(workplace) >= reached);
          int victim = kills % WORKERS;
          workers.get(victim).kill();
          workers.set(victim, start(workplace, victim));
          kills++;
        }
        await()
            .atMost(Duration.ofMinutes(2))
            .until(() -> workplace.consumerInfo().getAckFloor().getStreamSequence() == MESSAGES);
        Map<Long, Integer> runs = runs();
        int extra = runs.values().stream().mapToInt(count -> count - 1).sum();
        System.out.println(kills + " kills, " + extra + " of " + MESSAGES + " run once more");
        assertThat(runs).as("messages that were run").hasSize(MESSAGES);
        assertThat(extra).as("runs too many").isLessThanOrEqualTo(kills * CRASH_WINDOW);
      } finally {
        workers.forEach(WorkerProcess::close);
      }
    }
  }

  private WorkerProcess start(Workplace workplace, int number) {
    // So that it takes most of a minute.
    Duration workTime = Duration.ofMillis(10);
    return WorkerProcess.start(
        WorkerOrders.of(workplace, folder.resolve("effects-" + number)).withWorkTime(workTime));
  }

  private static long settled(Workplace workplace) {
    ConsumerInfo consumer = workplace.consumerInfo();
    return consumer.getDelivered().getStreamSequence() - consumer.getNumAckPending();
  }

  private Map<Long, Integer> runs() throws Exception {
    List<String> lines = new ArrayList<>();
    for (int number = 0; number < WORKERS; number++) {
      lines.addAll(Files.readAllLines(folder.resolve("effects-" + number)));
    }
    return lines.stream()
        .collect(Collectors.toMap(Long::valueOf, line -> 1, Integer::sum, TreeMap::new));
  }
}
