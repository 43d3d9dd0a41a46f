package dev.contrail.jetstream.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.engine.WorkerCounts;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What was stored once can be read. Samples are never changed: another version gets another. */
class StoredReportsTest {
  private static final Instant NINE = Instant.parse("2026-11-17T09:00:00Z");

  private static final WorkerReport REPORT =
      new WorkerReport(
          new WorkerReport.Who(
              "17@host",
              "k3f7abcd",
              "0.1.0",
              Optional.of("4.2"),
              "ORDERS",
              "billing",
              NINE.minusSeconds(3600)),
          NINE,
          new WorkerCounts(120, 100, 3, 12, 2, 1, 1, 1),
          new WorkerReport.Rates(33.5, 0.25, 0.1, 0.01),
          new WorkerReport.Load(7, 5, Optional.of(NINE.minusSeconds(30))),
          true,
          Optional.of(
              new WorkerReport.OpenBreaker(
                  NINE.minusSeconds(120), "3f9ac01d22b7", "acme.BankBusyException: # is down")),
          List.of(new WorkerReport.Hold("the ledger", NINE.minusSeconds(180))),
          List.of(
              new WorkerReport.Retrying("3f9ac01d22b7", "acme.BankBusyException: # is down", 9, 4)),
          2);

  private static final PauseOrder PAUSE =
      new PauseOrder(
          PauseScope.of("ORDERS", "billing", "17@host"), true, "ann@ops", NINE, "the bank is down");

  private static byte[] sample(String name) throws IOException {
    try (InputStream in = StoredReportsTest.class.getResourceAsStream("/reports/" + name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    }
  }

  @Test
  void a_report_of_version_1_is_read_and_written_so() throws Exception {
    byte[] sample = sample("worker-report-1.json");
    assertThat(WorkerReport.decode(sample)).isEqualTo(REPORT);
    assertThat(new String(REPORT.encode(), UTF_8)).isEqualTo(new String(sample, UTF_8).strip());
  }

  @Test
  void a_pause_of_version_1_is_read_and_written_so() throws Exception {
    byte[] sample = sample("pause-order-1.json");
    assertThat(PauseOrder.decode(sample)).isEqualTo(PAUSE);
    assertThat(new String(PAUSE.encode(), UTF_8)).isEqualTo(new String(sample, UTF_8).strip());
  }

  @Test
  void what_a_newer_release_wrote_is_refused_in_a_sentence() {
    assertThatThrownBy(() -> WorkerReport.decode("{\"version\":2}".getBytes(UTF_8)))
        .isInstanceOf(UnreadableReportException.class)
        .hasMessage(
            "The report of a worker was written by a newer release, in version 2; this one reads"
                + " up to 1.");
    assertThatThrownBy(() -> PauseOrder.decode("{\"version\":2}".getBytes(UTF_8)))
        .hasMessageStartingWith("A pause was written by a newer release");
  }

  @Test
  void texts_from_outside_are_cut() {
    String report =
        new String(REPORT.encode(), UTF_8).replace("17@host", "x".repeat(10_000) + "\\u001b[31m");
    assertThat(WorkerReport.decode(report.getBytes(UTF_8)).who().name()).hasSize(255).endsWith("…");
    byte[] huge = ("{\"version\":1,\"a\":\"" + "x".repeat(70_000) + "\"}").getBytes(UTF_8);
    assertThatThrownBy(() -> WorkerReport.decode(huge)).hasMessageContaining("at most 65536");
  }

  @Test
  void a_pause_is_for_those_it_names() {
    PauseScope stream = PauseScope.of("ORDERS");
    PauseScope consumer = PauseScope.of("ORDERS", "billing");
    PauseScope worker = PauseScope.of("ORDERS", "billing", "17@host");
    assertThat(PauseScope.around("ORDERS", "billing", "17@host"))
        .containsExactly(stream, consumer, worker)
        .allMatch(it -> it.covers("ORDERS", "billing", "17@host"));
    assertThat(stream.covers("ORDERS", "mail", "x")).isTrue();
    assertThat(consumer.covers("ORDERS", "mail", "x")).isFalse();
    assertThat(worker.covers("ORDERS", "billing", "18@host")).isFalse();
    assertThat(stream.key()).isEqualTo("ORDERS");
    assertThat(consumer.key()).isEqualTo("ORDERS.billing");
    assertThat(PauseScope.of("ORDERS", "billing", "any * > name").key())
        .matches("ORDERS\\.billing\\.[0-9a-f]{16}");
  }
}
