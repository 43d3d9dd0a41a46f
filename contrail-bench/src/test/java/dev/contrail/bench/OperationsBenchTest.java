package dev.contrail.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.bench.report.OperationsReport;
import dev.contrail.jetstream.Contrail;
import dev.contrail.server.NatsServer;
import io.nats.client.JetStreamOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OperationsBenchTest {
  private static final int TIMES_LESS = 1_000;

  @Test
  void it_measures_all_there_is_to_measure_and_says_what_was_reached() throws Exception {
    List<String> told = new ArrayList<>();
    try (NatsServer server = NatsServer.builder().start()) {
      OperationsReport report =
          new OperationsBench(
                  new BenchServer(
                      () -> Contrail.connect(server.url()),
                      JetStreamOptions.defaultOptions(),
                      server.url(),
                      true,
                      1),
                  TIMES_LESS,
                  told::add)
              .run();

      assertThat(told).hasSize(3);
      assertThat(report.orphans().messages()).isEqualTo(1_000);
      assertThat(report.orphans().subjects()).isEqualTo(10);
      assertThat(report.orphans().unclaimed()).isEqualTo(3);
      assertThat(report.orphans().scanSeconds()).isPositive();
      assertThat(report.orphans().ratio()).isPositive();
      assertThat(report.orphans().serverSeconds())
          .isLessThanOrEqualTo(report.orphans().scanSeconds());
      assertThat(report.orphans().serverRatio()).isPositive();
      assertThat(report.audit().messages()).isEqualTo(10_100);
      assertThat(report.audit().dead()).isEqualTo(50);
      assertThat(report.audit().waiting()).isEqualTo(50);
      assertThat(report.audit().seconds()).isPositive();
      assertThat(report.audit().peakMegabytes()).isPositive();
      assertThat(report.guard().exhausted()).isEqualTo(10);
      assertThat(report.guard().seconds()).isPositive();
      assertThat(report.aims()).hasSize(5);
    }
  }
}
