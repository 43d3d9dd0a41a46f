package dev.contrail.jetstream;

import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerScope;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A process that records completions, batch after batch, and says {@code recorded} after each. When
 * it is about to purge what a snapshot covers, or has just done so, it says {@code reached} and
 * goes no further.
 */
final class CompactorMain {
  static final int BATCH = 10;

  /** Where it stops. */
  enum Point {
    BEFORE_PURGE,
    AFTER_PURGE
  }

  private CompactorMain() {}

  static WorkerProcess start(String url, LedgerScope scope, Point point) {
    return WorkerProcess.start(CompactorMain.class, List.of(url, scope.consumer(), point.name()));
  }

  static LedgerScope scope(String consumer) {
    return new LedgerScope("ORDERS", consumer, "i1");
  }

  public static void main(String[] arguments) {
    Connection connection = Contrail.connect(arguments[0]);
    JetStreamApi api = new StoppingApi(connection, Point.valueOf(arguments[2]));
    CompletionLedger ledger = HastyLedger.open(connection, api, scope(arguments[1]));
    for (long first = 1; ; first += BATCH) {
      HastyLedger.record(ledger, HastyLedger.Entry.range(first, first + BATCH - 1));
      System.out.println("recorded");
    }
  }

  private static final class StoppingApi extends JetStreamApi {
    private final Point point;

    StoppingApi(Connection connection, Point point) {
      super(connection, JetStreamOptions.defaultOptions());
      this.point = point;
    }

    @Override
    CompletableFuture<Void> purge(String stream, String subject, long sequence) {
      if (subject.endsWith(".barrier")) {
        return super.purge(stream, subject, sequence);
      }
      if (point == Point.BEFORE_PURGE) {
        Faults.stop();
      }
      return super.purge(stream, subject, sequence).thenRun(Faults::stop);
    }
  }
}
