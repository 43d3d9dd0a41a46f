package dev.contrail.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.bench.report.GuardReport;
import dev.contrail.jetstream.Contrail;
import dev.contrail.server.NatsServer;
import io.nats.client.JetStreamOptions;
import org.junit.jupiter.api.Test;

class GuardBenchTest {
  private static final int MESSAGES = 300;

  @Test
  void it_measures_both_kinds_of_streams_that_are_released() throws Exception {
    try (NatsServer server = NatsServer.builder().start()) {
      GuardReport report =
          new GuardBench(
                  new BenchServer(
                      () -> Contrail.connect(server.url()),
                      JetStreamOptions.defaultOptions(),
                      server.url(),
                      true,
                      1),
                  MESSAGES)
              .run();

      assertThat(report.messages()).isEqualTo(MESSAGES);
      assertThat(report.workqueueSeconds()).isPositive();
      assertThat(report.interestSeconds()).isPositive();
    }
  }
}
