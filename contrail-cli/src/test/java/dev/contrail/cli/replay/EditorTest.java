package dev.contrail.cli.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EditorTest {
  @Test
  void a_line_end_that_the_editor_added_is_taken_off_and_one_that_was_there_stays() {
    assertThat(edited("a", "a\n")).isEqualTo("a");
    assertThat(edited("a", "b\n")).isEqualTo("b");
    assertThat(edited("a\n", "b\n")).isEqualTo("b\n");
    assertThat(edited("a\n", "b")).isEqualTo("b");
    assertThat(edited("", "\n")).isEmpty();
  }

  private static String edited(String before, String after) {
    return new String(
        Editor.withoutAddedLineEnd(before.getBytes(UTF_8), after.getBytes(UTF_8)), UTF_8);
  }
}
