package dev.contrail.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Schedules that broke a promise once. A seed means another schedule when what seeds decide is
 * changed, so each of them also has a test of its own that says what was wrong.
 */
class FoundBySimulationTest {
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "1843, 'a copy that waited for another one stood for the store of events, which was taken to be"
        + " down, and so kept that other one from being looked up (ReplayedTest)'"
  })
  void itDoesNotComeBack(long seed, String what) {
    SimulationResult result = Simulation.run(seed);

    assertThat(result.broken()).as(() -> what + Failures.told(java.util.List.of(result))).isEmpty();
  }
}
