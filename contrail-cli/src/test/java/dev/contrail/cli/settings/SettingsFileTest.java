package dev.contrail.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.cli.command.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SettingsFileTest {
  private static SettingsFile parse(String yaml) {
    return SettingsFile.parse("contrail.yaml", yaml);
  }

  private static void refused(String yaml, String... words) {
    assertThatThrownBy(() -> parse(yaml))
        .isInstanceOf(CommandFailure.class)
        .message()
        .contains(words);
  }

  @Test
  void nested_and_dotted_keys_mean_the_same() {
    assertThat(parse("work:\n  ack-wait: 30s\n").entries())
        .isEqualTo(Map.of("work.ack-wait", new SettingsFile.Entry("30s", 2)));
    assertThat(parse("work.ack-wait: 30s\n").entries())
        .isEqualTo(Map.of("work.ack-wait", new SettingsFile.Entry("30s", 1)));
  }

  @Test
  void values_stay_the_text_that_was_written() {
    Map<String, SettingsFile.Entry> entries =
        parse("a: 007\nb: 1_000\nc: on\nd: 0x10\ne: '${HOME} $$'\nf: 12:30\n").entries();
    assertThat(entries)
        .containsEntry("a", new SettingsFile.Entry("007", 1))
        .containsEntry("b", new SettingsFile.Entry("1_000", 2))
        .containsEntry("c", new SettingsFile.Entry("on", 3))
        .containsEntry("d", new SettingsFile.Entry("0x10", 4))
        .containsEntry("e", new SettingsFile.Entry("${HOME} $$", 5))
        .containsEntry("f", new SettingsFile.Entry("12:30", 6));
  }

  @Test
  void a_list_becomes_its_elements() {
    assertThat(parse("work: {filter: [orders.new, 'orders.*']}").find("work.filter"))
        .contains(new SettingsFile.Entry("orders.new,orders.*", 1));
  }

  @Test
  void an_empty_file_says_nothing() {
    assertThat(parse("").entries()).isEmpty();
    assertThat(parse("# only a comment\n").entries()).isEmpty();
  }

  @Test
  void what_is_no_yaml_is_refused_with_its_line() {
    refused("a: 1\nb: [\n", "contrail.yaml line 3 is no YAML");
    refused("a: 1\n\tb: 2\n", "contrail.yaml line 2 is no YAML");
    refused("just text", "line 1 is not a mapping");
    refused("- a\n", "line 1 is not a mapping");
    refused("a: [[1]]", "line 1 holds something else than a plain value");
  }

  @Test
  void a_key_said_twice_is_refused_however_it_is_written() {
    refused("work.exec: a\nwork:\n  exec: b\n", "line 3 says 'work.exec' a second time");
    refused("a: 1\na: 2\n", "line 2 says 'a' a second time");
  }

  @Test
  void a_file_that_eats_memory_by_aliases_is_refused() {
    String bomb =
        """
        a: &a [x, x, x, x, x, x, x, x, x]
        b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]
        c: [*b, *b, *b, *b, *b, *b, *b, *b, *b]
        """;
    assertThatThrownBy(() -> parse(bomb)).isInstanceOf(CommandFailure.class);
  }

  @Test
  void a_file_that_is_missing_or_no_text_is_refused(@TempDir Path folder) throws IOException {
    assertThatThrownBy(() -> SettingsFile.read("x.yaml", folder.resolve("x.yaml")))
        .isInstanceOf(CommandFailure.class)
        .hasMessage("there is no settings file x.yaml");
    Path binary = Files.write(folder.resolve("b.yaml"), new byte[] {(byte) 0xFF, (byte) 0xFE, 0});
    assertThatThrownBy(() -> SettingsFile.read("b.yaml", binary))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("cannot be read as UTF-8 text");
  }
}
