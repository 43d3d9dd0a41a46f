package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerScope;
import dev.contrail.ledger.log.BlockKey;
import dev.contrail.server.NatsCluster;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A process that makes the log shorter is killed on the way; the next one makes up for it. */
@Tag("slow")
@OnEveryServer
class KilledCompactorTest {
  private final NatsServerBinary binary;

  KilledCompactorTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @Test
  void no_completion_is_lost_and_the_next_one_purges_on_one_server() throws Exception {
    try (NatsServer server = NatsServer.builder().binary(binary).start()) {
      killAtEachPoint(server.url(), 1);
    }
  }

  @Test
  void no_completion_is_lost_and_the_next_one_purges_on_three_servers() throws Exception {
    try (NatsCluster cluster = NatsCluster.builder().binary(binary).start()) {
      killAtEachPoint(cluster.urls(), 3);
    }
  }

  private static void killAtEachPoint(String url, int replicas) throws Exception {
    try (Connection connection = Contrail.connect(url)) {
      HastyLedger.provision(connection, replicas);
      LedgerScope before = CompactorMain.scope("before");
      LedgerScope after = CompactorMain.scope("after");
      // Both at once: most of it is waiting.
      try (WorkerProcess killedBefore =
              CompactorMain.start(url, before, CompactorMain.Point.BEFORE_PURGE);
          WorkerProcess killedAfter =
              CompactorMain.start(url, after, CompactorMain.Point.AFTER_PURGE)) {
        killedBefore.await("reached").kill();
        killedAfter.await("reached").kill();
        long covered = oldestRecord(connection, before);
        assertKnown(connection, after, confirmedTo(killedAfter), () -> true);
        List<HastyLedger.Entry> confirmed = confirmedTo(killedBefore);
        assertKnown(
            connection, before, confirmed, () -> oldestRecord(connection, before) > covered);
        assertKnown(connection, before, confirmed, () -> true);
      }
    }
  }

  private static List<HastyLedger.Entry> confirmedTo(WorkerProcess killed) {
    long batches = killed.lines().stream().filter("recorded"::equals).count();
    assertThat(batches).as("batches confirmed to it").isPositive();
    return HastyLedger.Entry.range(1, batches * CompactorMain.BATCH);
  }

  /** Whoever comes next knows them, and is left alone until it has done something. */
  private static void assertKnown(
      Connection connection,
      LedgerScope scope,
      List<HastyLedger.Entry> confirmed,
      Callable<Boolean> doesItsPart) {
    JetStreamApi api = new JetStreamApi(connection, JetStreamOptions.defaultOptions());
    try (CompletionLedger next = HastyLedger.open(connection, api, scope)) {
      assertThat(HastyLedger.completed(next, confirmed))
          .as("known of those confirmed to the one that was killed %s its purge", scope.consumer())
          .isEqualTo(confirmed.size());
      await("purged by the next").atMost(HastyLedger.LIMIT).until(doesItsPart);
    }
  }

  /** The place of the first one that is left. */
  private static long oldestRecord(Connection connection, LedgerScope scope) throws Exception {
    return connection
        .jetStreamManagement(Workplace.PATIENT)
        .getFirstMessage(
            Names.DEFAULT.ledgerStream(),
            Names.DEFAULT.ledgerSubjects(scope) + new BlockKey(0).token())
        .getSeq();
  }
}
