package dev.contrail.cli.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.cli.command.BadValueException;
import dev.contrail.fuzzing.FuzzTarget;
import dev.contrail.fuzzing.FuzzTargets;
import java.util.Map;

class BytesFuzzTest extends FuzzTargets {
  @Override
  protected Map<String, FuzzTarget> targets() {
    return Map.of("bytes", BytesFuzzTest::bytes);
  }

  private static void bytes(byte[] data) {
    try {
      assertThat(new Bytes().convert(new String(data, UTF_8))).isPositive();
    } catch (BadValueException refused) {
      assertThat(refused.sentence()).contains("; accepted are numbers");
    }
  }
}
