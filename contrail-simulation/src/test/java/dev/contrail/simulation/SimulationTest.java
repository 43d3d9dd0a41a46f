package dev.contrail.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code -Dcontrail.schedules=N} runs more schedules, {@code -Dcontrail.firstSeed=SEED} others. */
class SimulationTest {
  private static final long SCHEDULES = Long.getLong("contrail.schedules", 20_000);
  private static final long FIRST = Long.getLong("contrail.firstSeed", 0);

  // It takes about 100 s of one core, and a busy machine may give it a tenth of one.
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  @Test
  void noScheduleBreaksAPromise() throws Exception {
    Campaign campaign = new Campaign(FIRST, SCHEDULES, Optional.empty(), false);

    Campaign.Report report = campaign.run(Runtime.getRuntime().availableProcessors(), done -> {});

    assertThat(report.failures()).as(() -> Failures.told(report.failures())).isEmpty();
    assertThat(report.done()).isEqualTo(SCHEDULES);
  }

  @Test
  void theSameSeedGivesTheSameEvents() {
    for (long seed = 0; seed < 300; seed++) {
      SimulationResult once = Simulation.replay(seed, Optional.empty());
      SimulationResult again = Simulation.replay(seed, Optional.empty());

      assertThat(again.trace()).as("seed %s", seed).isEqualTo(once.trace());
      assertThat(again.hash()).as("seed %s", seed).isEqualTo(once.hash());
    }
  }

  @Test
  void otherSeedsGiveOtherEvents() {
    assertThat(Simulation.run(1).hash()).isNotEqualTo(Simulation.run(2).hash());
  }
}
