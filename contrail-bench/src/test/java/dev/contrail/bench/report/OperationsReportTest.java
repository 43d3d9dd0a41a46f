package dev.contrail.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.bench.report.OrphanReport.Times;
import org.junit.jupiter.api.Test;

class OperationsReportTest {
  private static Aim growth(Times times, Times fewer) {
    OrphanReport orphans = OrphanReport.of(1_000_000, 10_000, 3, times, 100_000, fewer);
    return OperationsReport.of(orphans, new AuditSize(1, 1, 1, 1, 1), new GuardSize(1, 1))
        .aims()
        .get(1);
  }

  @Test
  void a_scan_may_grow_with_the_messages_as_much_as_the_answers_of_its_server() {
    assertThat(growth(new Times(0.31, 0.30), new Times(0.10, 0.10)))
        .isEqualTo(
            new Aim(
                "of the time with 100,000 messages; the server alone: 3.00 times",
                "under 3.30 times",
                "3.10 times",
                true));
  }

  @Test
  void and_no_more_than_that() {
    assertThat(growth(new Times(0.35, 0.30), new Times(0.10, 0.10)).reached()).isFalse();
    assertThat(growth(new Times(0.19, 0.01), new Times(0.10, 0.01)).reached()).isTrue();
    assertThat(growth(new Times(0.21, 0.01), new Times(0.10, 0.01)))
        .isEqualTo(
            new Aim(
                "of the time with 100,000 messages; the server alone: 1.00 times",
                "under 2 times",
                "2.10 times",
                false));
  }
}
