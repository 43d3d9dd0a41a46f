package dev.contrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.jetstream.doctor.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The doctor's rules against their pages. */
class DoctorPagesTest {
  private static final Path ROOT = Path.of("..");

  @ParameterizedTest
  @EnumSource
  void a_page_tells_the_code_the_title_the_severity_and_how_to_mend(Rule rule) throws IOException {
    String page = Files.readString(ROOT.resolve(rule.page()));
    assertThat(page)
        .startsWith("# " + rule.code() + ": " + rule.title() + "\n\nSeverity: " + rule.severity())
        .contains("## What was found\n\n", "## Why it matters\n\n", "## How to mend it\n\n");
    assertThat(page.length()).as("a page that says nothing").isGreaterThan(200);
  }

  @Test
  void there_is_no_page_without_a_rule() throws IOException {
    try (Stream<Path> pages = Files.list(ROOT.resolve("docs/doctor"))) {
      assertThat(pages.map(page -> "docs/doctor/" + page.getFileName()).toList())
          .containsExactlyInAnyOrderElementsOf(
              Arrays.stream(Rule.values()).map(Rule::page).toList());
    }
  }

  @Test
  void the_table_has_a_line_for_each_rule_and_no_other() throws IOException {
    List<String> lines =
        Files.readAllLines(ROOT.resolve("docs/doctor.md")).stream()
            .filter(line -> line.startsWith("| [CT"))
            .toList();
    assertThat(lines)
        .containsExactlyElementsOf(
            Arrays.stream(Rule.values())
                .map(
                    rule ->
                        "| [%s](doctor/%s.md) | %s | %s |"
                            .formatted(rule.code(), rule.code(), rule.severity(), rule.title()))
                .toList());
  }
}
