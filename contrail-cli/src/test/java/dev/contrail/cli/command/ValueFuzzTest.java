package dev.contrail.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.fuzzing.FuzzTarget;
import dev.contrail.fuzzing.FuzzTargets;
import java.util.Map;
import picocli.CommandLine.ITypeConverter;

class ValueFuzzTest extends FuzzTargets {
  @Override
  protected Map<String, FuzzTarget> targets() {
    return Map.of(
        "time", taking(new TimeValue()),
        "number", taking(new LedgerSetting.Generation()),
        "ledger-setting", taking(new LedgerSetting.Value()),
        "yes-or-no", taking(new YesOrNo()));
  }

  /** What is refused is refused with a sentence. */
  private static FuzzTarget taking(ITypeConverter<?> value) {
    return data -> {
      try {
        assertThat(value.convert(new String(data, UTF_8))).isNotNull();
      } catch (BadValueException refused) {
        assertThat(refused.sentence()).contains("; accepted ");
      }
    };
  }
}
