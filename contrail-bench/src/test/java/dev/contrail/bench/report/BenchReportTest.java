package dev.contrail.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BenchReportTest {
  @Test
  void the_ratios_at_the_top_are_those_of_the_first_workload() {
    BenchReport report =
        Reports.report(
            true,
            Reports.measured(
                Reports.throughput(Reports.SMALL, 0.95, 0.03),
                Reports.throughput(new Workload(4_096, 0), 0.5, 0.5)));

    assertThat(report.ledgerRatio()).contains(0.95);
    assertThat(report.perMessageRedisRatio()).contains(0.03);
    assertThat(report.redisRatio()).as("(d) did not take part").isEmpty();
    assertThat(report.seconds()).isEqualTo(61.3);
  }

  @Test
  void an_entry_tells_rates_in_whole_messages_and_its_ratio_round_by_round() {
    Throughput.Entry entry =
        Throughput.Entry.of(
            Contender.WITHOUT_LEDGER,
            Reports.SMALL,
            5_000,
            List.of(90.4, 200.0, 30.0),
            List.of(100.0, 100.0, 100.0));

    assertThat(entry.id()).isEqualTo("b");
    assertThat(entry.rounds()).containsExactly(90.0, 200.0, 30.0);
    assertThat(entry.perSecond()).isEqualTo(new Spread(90, 30, 200));
    assertThat(entry.ratioToBare()).isEqualTo(new Spread(0.904, 0.3, 2));
    assertThat(entry.shareOfIdeal()).as("a handler that does nothing has no ideal").isEmpty();
  }

  @Test
  void a_handler_that_waits_is_compared_with_what_500_at_once_could_do() {
    List<Double> rates = List.of(22_500.0);

    Throughput.Entry entry =
        Throughput.Entry.of(Contender.BARE, Reports.WAITING, 5_000, rates, rates);

    assertThat(Reports.WAITING.idealPerSecond()).isEqualTo(25_000);
    assertThat(entry.shareOfIdeal()).contains(0.9);
  }

  @Test
  void added_latency_is_the_difference_percentile_by_percentile() {
    assertThat(new Latency.Percentiles(0.9, 4.5, 9.75).less(new Latency.Percentiles(0.2, 1, 10)))
        .isEqualTo(new Latency.Percentiles(0.7, 3.5, -0.25));
  }

  @Test
  void an_aim_is_reached_at_its_bound_and_missed_below_it() {
    assertThat(aim(0.90, 0.04, "(c) to (a)")).satisfies(aim -> assertThat(aim.reached()).isTrue());
    assertThat(aim(0.89, 0.04, "(c) to (a)")).satisfies(aim -> assertThat(aim.reached()).isFalse());
    assertThat(aim(0.90, 0.045, "(c) to (e)")).satisfies(aim -> assertThat(aim.reached()).isTrue());
    assertThat(aim(0.90, 0.046, "(c) to (e)"))
        .satisfies(aim -> assertThat(aim.reached()).isFalse());
  }

  @Test
  void aims_name_what_was_measured() {
    BenchReport report =
        Reports.report(true, Reports.measured(Reports.throughput(Reports.SMALL, 0.95, 0.03)));

    assertThat(report.aims())
        .contains(
            new Aim("p99 added by (c) at 2000 messages a second", "under 5 ms", "3.50 ms", true),
            new Aim("ledger in memory with 10,000,000 completions", "under 4 MB", "2.10 MB", true),
            new Aim(
                "ledger in the stream with 10,000,000 completions", "under 6 MB", "0.43 MB", true),
            new Aim("start with 1,000,000 completions behind", "under 1 s", "0.35 s", true));
  }

  @Test
  void waiting_handlers_have_an_aim_on_virtual_threads_only() {
    BenchReport.Measured measured = Reports.measured(Reports.throughput(Reports.WAITING, 1, 1));

    assertThat(Reports.report(true, measured).aims())
        .anyMatch(aim -> aim.what().startsWith("(c) of the ideal"));
    assertThat(Reports.report(false, measured).aims())
        .noneMatch(aim -> aim.what().startsWith("(c) of the ideal"));
  }

  private static Aim aim(double ledger, double perMessage, String what) {
    return Reports.report(
            true, Reports.measured(Reports.throughput(Reports.SMALL, ledger, perMessage)))
        .aims()
        .stream()
        .filter(aim -> aim.what().startsWith(what))
        .findFirst()
        .orElseThrow();
  }
}
