package dev.contrail.operations.lease;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.fuzzing.FuzzTarget;
import dev.contrail.fuzzing.FuzzTargets;
import java.util.Map;

class HolderFuzzTest extends FuzzTargets {
  @Override
  protected Map<String, FuzzTarget> targets() {
    return Map.of("lease-holder", HolderFuzzTest::holder);
  }

  private static void holder(byte[] data) {
    Holder.parse(new String(data, UTF_8))
        .ifPresent(
            holder -> {
              holder.isDeadHere();
              assertThat(Holder.parse(holder.toString())).contains(holder);
            });
  }
}
