package dev.contrail.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.bench.report.Workload;
import org.junit.jupiter.api.Test;

class BenchPlanTest {
  @Test
  void every_plan_has_at_least_five_rounds_after_warming_up() {
    assertThat(BenchPlan.complete().rounds()).isGreaterThanOrEqualTo(5);
    assertThat(BenchPlan.brief().rounds()).isGreaterThanOrEqualTo(5);
    for (Workload workload : BenchPlan.brief().workloads()) {
      assertThat(BenchPlan.brief().warmUps(workload)).as(workload.title()).isPositive();
    }
  }

  @Test
  void the_first_workload_is_the_one_that_the_ratios_at_the_top_are_of() {
    assertThat(BenchPlan.complete().workloads().get(0)).isEqualTo(new Workload(256, 0));
    assertThat(BenchPlan.brief().workloads().get(0)).isEqualTo(new Workload(256, 0));
  }

  @Test
  void the_complete_plan_goes_as_far_as_the_aims_do() {
    BenchPlan plan = BenchPlan.complete();

    assertThat(plan.ledgerSizes()).startsWith(10_000).endsWith(10_000_000);
    assertThat(plan.longRun().completions()).isEqualTo(1_000_000);
    assertThat(plan.longRun().messages()).isEqualTo(2_000_000);
    assertThat(plan.latency().perSecond()).isEqualTo(2_000);
  }

  @Test
  void a_limit_of_messages_holds_everywhere() {
    BenchPlan plan = BenchPlan.complete().withMostMessages(50_000).withRounds(2);

    assertThat(plan.rounds()).isEqualTo(2);
    assertThat(plan.mostMessages()).isEqualTo(50_000);
    assertThat(plan.ledgerSizes()).containsExactly(10_000, 50_000);
    assertThat(plan.longRun().completions()).isEqualTo(50_000);
    assertThat(plan.longRun().messages()).isEqualTo(100_000);
  }

  @Test
  void counts_its_measurements() {
    BenchPlan plan = BenchPlan.brief();

    // Six contenders: 12 + 7 + 7 rounds and 2 turns each; then 1 + 3 + 1 and four ledgers.
    assertThat(plan.measurements(6)).isEqualTo(6 * (12 + 7 + 7 + 2) + 5 + 4);
  }
}
