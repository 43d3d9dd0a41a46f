package dev.contrail.operations.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.fuzzing.FuzzTarget;
import dev.contrail.fuzzing.FuzzTargets;
import java.util.Map;

class ExportFuzzTest extends FuzzTargets {
  @Override
  protected Map<String, FuzzTarget> targets() {
    return Map.of("export-line", ExportFuzzTest::line, "header-mapping", ExportFuzzTest::mapping);
  }

  /** What can be read is read as the same when it is written again. */
  private static void line(byte[] data) {
    ExportedEntry entry;
    try {
      entry = ExportFormat.parse(new String(data, UTF_8));
    } catch (UnreadableExportException refused) {
      assertThat(refused.getMessage()).isNotBlank();
      return;
    }
    String line = ExportFormat.line(entry);
    assertThat(line).doesNotContain("\n");
    assertThat(ExportFormat.line(ExportFormat.parse(line))).isEqualTo(line);
  }

  private static void mapping(byte[] data) {
    String rule = new String(data, UTF_8);
    try {
      assertThat(HeaderMapping.known().with(rule)).isNotNull();
    } catch (IllegalArgumentException refused) {
      assertThat(refused).hasMessageStartingWith("'" + rule + "' is no mapping");
    }
  }
}
