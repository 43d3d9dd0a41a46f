package dev.contrail.redis;

import dev.contrail.conformance.CompletionLedgerConformance;
import dev.contrail.conformance.LedgerProcess;
import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerScope;
import dev.contrail.server.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisLedgerConformanceTest extends CompletionLedgerConformance {
  private RedisServer server;

  @BeforeAll
  void startFirst() {
    server = RedisServer.start();
  }

  @AfterAll
  void endLast() {
    server.close();
  }

  @Override
  protected LedgerProcess startProcess() {
    // A machine that is busy with other tests is no outage.
    RedisLedger ledger = RedisLedger.at(server.url()).timeout(Duration.ofSeconds(20));
    return new LedgerProcess() {
      @Override
      public CompletionLedger open(LedgerScope scope) {
        return ledger.open(scope);
      }

      @Override
      public void kill() {
        ledger.close();
      }
    };
  }

  @Override
  protected void endServer() {
    server.kill();
  }

  @Override
  protected void startServer() {
    server.startAgain();
  }
}
