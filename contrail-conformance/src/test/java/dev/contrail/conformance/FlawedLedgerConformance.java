package dev.contrail.conformance;

import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerScope;
import java.time.Duration;

/** The suite on a ledger with a flaw. Run by {@link ConformanceTest} alone. */
class FlawedLedgerConformance extends CompletionLedgerConformance {
  static volatile Flaw flaw = Flaw.NONE;

  private final MemoryServer server = new MemoryServer(flaw);

  @Override
  protected LedgerProcess startProcess() {
    return new LedgerProcess() {
      private volatile boolean killed;

      @Override
      public CompletionLedger open(LedgerScope scope) {
        return new MemoryLedger(server, scope, () -> killed);
      }

      @Override
      public void kill() {
        killed = true;
      }
    };
  }

  @Override
  protected void endServer() {
    server.end();
  }

  @Override
  protected void startServer() {
    server.start();
  }

  @Override
  protected Duration patience() {
    boolean isTested =
        flaw == Flaw.SAYS_NOTHING_IN_AN_OUTAGE || flaw == Flaw.LEAVES_CALLS_UNANSWERED_WHEN_CLOSED;
    return isTested ? Duration.ofMillis(100) : super.patience();
  }
}
