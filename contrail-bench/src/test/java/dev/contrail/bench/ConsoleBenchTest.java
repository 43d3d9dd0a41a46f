package dev.contrail.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.bench.report.Aim;
import dev.contrail.bench.report.ConsoleReport;
import dev.contrail.jetstream.Contrail;
import dev.contrail.server.NatsServer;
import io.nats.client.JetStreamOptions;
import org.junit.jupiter.api.Test;

class ConsoleBenchTest {
  @Test
  void it_measures_pages_filters_heap_and_a_worker_beside_open_pages() throws Exception {
    try (NatsServer server = NatsServer.builder().start()) {
      ConsoleReport report =
          new ConsoleBench(
                  new BenchServer(
                      () -> Contrail.connect(server.url()),
                      JetStreamOptions.defaultOptions(),
                      server.url(),
                      true,
                      1),
                  200,
                  4,
                  300,
                  step -> {})
              .run();

      assertThat(report.deadLetters()).isEqualTo(200);
      assertThat(report.pageMillis()).isPositive();
      assertThat(report.filterMillis()).isPositive();
      assertThat(report.ratio().low()).isPositive();
      assertThat(report.aims())
          .extracting(Aim::what)
          .containsExactly(
              "first page of 200 dead letters",
              "filter of 200 dead letters",
              "heap of the console",
              "a worker beside 4 open pages, of one alone");
    }
  }
}
