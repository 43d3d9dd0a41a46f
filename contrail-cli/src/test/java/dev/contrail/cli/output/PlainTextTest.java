package dev.contrail.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.contrail.operations.view.PlainText;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PlainTextTest {
  @Test
  void ordinary_text_stays_as_it_is() {
    assertThat(PlainText.of("orders.new: José, 東京, 🚚")).isEqualTo("orders.new: José, 東京, 🚚");
  }

  @Test
  void colours_and_cursor_movements_are_taken_out() {
    assertThat(PlainText.of("a\u001B[31mred\u001B[0m\u001B[2J\u001B[1;1Hb")).isEqualTo("aredb");
  }

  @Test
  void a_window_title_and_a_link_are_taken_out_whole() {
    assertThat(PlainText.of("x\u001B]0;owned\u0007y\u001B]8;;http://evil\u001B\\z"))
        .isEqualTo("xyz");
  }

  @Test
  void an_escape_sequence_that_never_ends_swallows_nothing_before_it() {
    assertThat(PlainText.of("before\u001B]0;title")).isEqualTo("before");
    assertThat(PlainText.of("before\u001B[")).isEqualTo("before");
    assertThat(PlainText.of("before\u001B")).isEqualTo("before");
  }

  @Test
  void sequences_in_single_characters_are_taken_out_too() {
    assertThat(PlainText.of("a\u009B31mb\u0085c")).isEqualTo("abc");
  }

  @Test
  void no_control_character_is_shown() {
    for (char c = 0; c < 0xA0; c++) {
      if (Character.isISOControl(c)) {
        assertThat(PlainText.of("a" + c + "b").chars().noneMatch(Character::isISOControl))
            .as("U+%04X", (int) c)
            .isTrue();
      }
    }
  }

  @Test
  void line_feeds_and_tabs_become_spaces() {
    assertThat(PlainText.of("one\ntwo\tthree\u2028four")).isEqualTo("one two three four");
  }

  @Test
  void other_control_characters_and_turned_directions_are_left_out() {
    assertThat(PlainText.of("a\u0000b\u0008c\u202Ed\u200Be")).isEqualTo("abcde");
  }

  @Test
  void marks_do_not_pile_up() {
    assertThat(PlainText.of("e\u0301x" + "\u0301".repeat(100_000) + "y"))
        .isEqualTo("e\u0301x" + "\u0301".repeat(4) + "y");
  }

  @Test
  void beginnings_without_an_end_take_no_time() {
    for (String begin : List.of("\u0090", "\u009B", "\u001B]", "\u001B[", "\u001BP", "\u009B0")) {
      String many = begin.repeat(300_000) + "\u001B";
      assertTimeoutPreemptively(
          Duration.ofSeconds(10),
          () -> assertThat(PlainText.of(many).chars().noneMatch(Character::isISOControl)).isTrue(),
          begin);
    }
  }

  @Test
  void half_a_character_is_shown_as_one_that_is_missing() {
    assertThat(PlainText.of("a\uD83Db")).isEqualTo("a\uFFFDb");
  }

  @Test
  void no_control_character_is_left() {
    StringBuilder all = new StringBuilder();
    for (char c = 0; c <= 0xA0; c++) {
      all.append(c).append('x');
    }
    assertThat(PlainText.of(all.toString()).chars())
        .noneMatch(c -> c < ' ' || (c >= 0x7F && c < 0xA0));
    assertThat(new Table().column("A").row(all.toString()).render(Terminal.none()).chars())
        .noneMatch(c -> (c < ' ' && c != '\n') || (c >= 0x7F && c < 0xA0));
  }
}
