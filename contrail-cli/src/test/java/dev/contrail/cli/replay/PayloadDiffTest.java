package dev.contrail.cli.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PayloadDiffTest {
  @Test
  void what_changed_is_shown_with_two_lines_around_it() {
    assertThat(diff("a\nb\nc\nd\ne\nf\ng", "a\nb\nc\nD\ne\nf\ng"))
        .containsExactly("  b", "  c", "- d", "+ D", "  e", "  f");
  }

  @Test
  void lines_in_between_that_stay_are_not_shown_as_changed() {
    assertThat(diff("1\nx\n2", "one\nx\ntwo"))
        .containsExactly("- 1", "+ one", "  x", "- 2", "+ two");
    assertThat(diff("a\nb", "a\nnew\nb")).containsExactly("  a", "+ new", "  b");
    assertThat(diff("a\nold\nb", "a\nb")).containsExactly("  a", "- old", "  b");
    assertThat(diff("", "a")).containsExactly("+ a");
  }

  @Test
  void of_what_is_no_text_the_sizes_are_told() {
    assertThat(PayloadDiff.of(new byte[] {(byte) 0xFF}, "ab".getBytes(UTF_8)))
        .containsExactly("1 bytes before, 2 bytes now");
  }

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

  private static List<String> diff(String before, String after) {
    return PayloadDiff.of(before.getBytes(UTF_8), after.getBytes(UTF_8));
  }
}
