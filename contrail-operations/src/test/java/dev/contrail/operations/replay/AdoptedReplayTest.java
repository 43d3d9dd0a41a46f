package dev.contrail.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.event.CopyPlace;
import dev.contrail.event.ReplayCopy;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.plan.Outlook;
import dev.contrail.plan.PlanProgress;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AdoptedReplayTest {
  private static final DeadLetterId ID = new DeadLetterId("ORDERS", "billing", "before", 5);

  @Test
  void a_copy_that_another_run_published_is_known_in_the_incarnation_it_was_published_to() {
    ReplayOutcome resolved =
        new ReplayOutcome.Resolved(new CopyPlace("ORDERS", "before", 7), "billing", false);

    assertThat(
            AdoptedReplay.known(
                    new Attempt(3, new ReplayCopy(ID, 1), Outlook.TOLD),
                    Optional.of(resolved),
                    Optional.empty())
                .map(result -> ((EntryResult.Settled) result).progress()))
        .contains(
            new PlanProgress.Published(3, 1, "ORDERS", 7, Outlook.TOLD, Optional.of("before")));
  }
}
