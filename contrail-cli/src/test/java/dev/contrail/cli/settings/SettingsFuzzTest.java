package dev.contrail.cli.settings;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.fuzzing.FuzzTarget;
import dev.contrail.fuzzing.FuzzTargets;
import java.util.Map;

class SettingsFuzzTest extends FuzzTargets {
  @Override
  protected Map<String, FuzzTarget> targets() {
    return Map.of("settings-file", SettingsFuzzTest::file);
  }

  private static void file(byte[] data) {
    try {
      SettingsFile.parse("contrail.yaml", new String(data, UTF_8))
          .entries()
          .forEach((key, entry) -> assertThat(entry.line()).as(key).isPositive());
    } catch (CommandFailure refused) {
      assertThat(refused).hasMessageStartingWith("contrail.yaml ");
    }
  }
}
