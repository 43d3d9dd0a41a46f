package dev.contrail.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.evidence.DeadLetterId;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ExportTargetTest {
  private static final DeadLetterId ID = new DeadLetterId("ORDERS", "billing", "abc", 7);

  @TempDir Path folder;

  @Test
  void an_export_that_fails_leaves_nothing() throws Exception {
    try (ExportTarget target = ExportTarget.file(folder.resolve("dead.jsonl"))) {
      target.write(ID, "line");
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void two_exports_to_one_file_do_not_write_into_each_other() throws Exception {
    Path file = folder.resolve("dead.jsonl");
    try (ExportTarget first = ExportTarget.file(file);
        ExportTarget second = ExportTarget.file(file)) {
      first.write(ID, "first");
      second.write(ID, "second");
      first.finish();
    }
    assertThat(file).hasContent("first");
    assertThat(folder).isDirectoryContaining(file::equals);
    assertThat(folder.toFile().list()).hasSize(1);
  }
}
