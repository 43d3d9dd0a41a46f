package dev.contrail.jetstream;

import dev.contrail.conformance.CompletionLedgerConformance;
import dev.contrail.conformance.LedgerProcess;
import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerScope;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

@OnEveryServer
class JetStreamLedgerConformanceTest extends CompletionLedgerConformance {
  private static final Duration AUDIT_HORIZON = Duration.ofDays(30);

  private final NatsServerBinary binary;
  private NatsServer server;

  JetStreamLedgerConformanceTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void startFirst() throws Exception {
    server = NatsServer.builder().binary(binary).start();
    try (Connection connection = Contrail.connect(server.url())) {
      new Provisioning(
              connection,
              JetStreamOptions.defaultOptions(),
              InitPlan.of(Names.DEFAULT),
              Provision.CREATE)
          .ensure(List.of(Store.LEDGER));
    }
  }

  @AfterEach
  void endLast() {
    killProcesses();
    server.close();
  }

  @Override
  protected LedgerProcess startProcess() {
    Connection connection = Contrail.connect(server.url());
    List<CompletionLedger> opened = new CopyOnWriteArrayList<>();
    return new LedgerProcess() {
      @Override
      public CompletionLedger open(LedgerScope scope) {
        CompletionLedger ledger =
            new JetStreamLedger(
                connection,
                new JetStreamApi(connection, JetStreamOptions.defaultOptions()),
                Names.DEFAULT,
                scope,
                AUDIT_HORIZON,
                alert -> {});
        opened.add(ledger);
        return ledger;
      }

      @Override
      public void kill() {
        try {
          connection.close();
          // Only now, when they can say nothing any more: their threads must not outlive the test.
          opened.forEach(CompletionLedger::close);
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
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
