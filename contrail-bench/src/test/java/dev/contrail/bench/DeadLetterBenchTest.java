package dev.contrail.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.bench.report.DeadLetterReport;
import dev.contrail.bench.report.Spread;
import dev.contrail.jetstream.Contrail;
import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import org.junit.jupiter.api.Test;

class DeadLetterBenchTest {
  private static final int INDEXED = 60;
  private static final int REPLAYED = 150;

  @Test
  void it_measures_all_there_is_to_measure_and_replays_every_message_of_every_round_once()
      throws Exception {
    try (NatsServer server = NatsServer.builder().start()) {
      DeadLetterReport report =
          new DeadLetterBench(
                  new BenchServer(
                      () -> Contrail.connect(server.url()),
                      JetStreamOptions.defaultOptions(),
                      server.url(),
                      true,
                      1),
                  INDEXED,
                  REPLAYED)
              .run();

      assertThat(report.indexed()).isEqualTo(INDEXED);
      assertThat(report.replayed()).isEqualTo(REPLAYED);
      assertThat(report.indexReadySeconds()).isPositive();
      assertThat(report.newestMessages()).isBetween(1L, (long) INDEXED * 2);
      assertThat(report.indexAgainSeconds()).satisfies(DeadLetterBenchTest::isMeasured);
      assertThat(report.replayedPerSecond()).satisfies(DeadLetterBenchTest::isMeasured);
      assertThat(report.barePerSecond()).satisfies(DeadLetterBenchTest::isMeasured);
      assertThat(report.replayRatio()).satisfies(DeadLetterBenchTest::isMeasured);
      assertThat(messages(server)).isEqualTo(2L * ReplayRounds.needed(REPLAYED));
    }
  }

  private static void isMeasured(Spread spread) {
    assertThat(spread.low()).isPositive();
    assertThat(spread.median()).isBetween(spread.low(), spread.high());
  }

  private static long messages(NatsServer server) throws Exception {
    try (Connection connection = Contrail.connect(server.url())) {
      return connection
          .jetStreamManagement()
          .getStreamInfo(Burial.STREAM)
          .getStreamState()
          .getMsgCount();
    }
  }
}
