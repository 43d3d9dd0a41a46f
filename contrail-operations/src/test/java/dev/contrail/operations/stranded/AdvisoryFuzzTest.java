package dev.contrail.operations.stranded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.fuzzing.FuzzTarget;
import dev.contrail.fuzzing.FuzzTargets;
import java.util.Map;

class AdvisoryFuzzTest extends FuzzTargets {
  @Override
  protected Map<String, FuzzTarget> targets() {
    return Map.of("advisory", AdvisoryFuzzTest::advisory);
  }

  /** Anybody may publish where advisories are captured: what is none is none, and no failure. */
  private static void advisory(byte[] data) {
    Advisory.parse(data)
        .ifPresent(
            advisory -> {
              assertThat(advisory.message().sequence()).isPositive();
              assertThat(advisory.why()).isNotBlank();
              assertThat(advisory.corpse()).isNotNull();
            });
  }
}
