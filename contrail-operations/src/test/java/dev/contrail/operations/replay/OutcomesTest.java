package dev.contrail.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.event.ReplayOutcome;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.plan.Outlook;
import dev.contrail.plan.PlanEntry;
import dev.contrail.plan.PlanProgress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OutcomesTest {
  private static final Instant BEGAN = Instant.parse("2026-03-01T10:00:00Z");
  private static final DeadLetterId ENTRY = new DeadLetterId("ORDERS", "billing", "x1", 1);
  private static final DeadLetterId BACK = new DeadLetterId("ORDERS", "billing", "x1", 2);
  private static final PlanProgress.Published COPY =
      new PlanProgress.Published(0, 1, "ORDERS", 2, Outlook.TOLD);

  private final List<DeadLetterId> heard = new ArrayList<>();
  private final Outcomes outcomes =
      new Outcomes(List.of(new PlanEntry(ENTRY, 0, 0)), Map.of(0, COPY), BEGAN);

  OutcomesTest() {
    outcomes.onReturn((entry, as) -> heard.add(as));
  }

  @Test
  void what_came_back_before_the_run_began_is_known_and_ends_nothing() {
    outcomes.told(ENTRY, 1, new ReplayOutcome.Returned(BACK), BEGAN);
    assertThat(heard).isEmpty();
    assertThat(outcomes.tally().returned()).isEqualTo(1);
  }

  @Test
  void what_comes_back_in_the_run_is_heard_once_whoever_tells_it_first() {
    outcomes.told(ENTRY, 1, new ReplayOutcome.Returned(BACK), Instant.MIN);
    outcomes.told(ENTRY, 1, new ReplayOutcome.Returned(BACK), BEGAN.plusNanos(1));
    outcomes.told(ENTRY, 1, new ReplayOutcome.Returned(BACK), BEGAN.plusNanos(1));
    assertThat(heard).containsExactly(BACK);
  }
}
