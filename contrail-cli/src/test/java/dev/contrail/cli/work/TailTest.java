package dev.contrail.cli.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TailTest {
  private static String tail(int size, String... parts) {
    Tail tail = new Tail(size);
    for (String part : parts) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      tail.write(bytes, 0, bytes.length);
    }
    return tail.text();
  }

  @Test
  void what_fits_is_kept_whole() {
    assertThat(tail(8, "abc", "def")).isEqualTo("abcdef");
    assertThat(tail(6, "abc", "def")).isEqualTo("abcdef");
    assertThat(tail(6)).isEmpty();
  }

  @Test
  void of_more_the_end_is_kept() {
    assertThat(tail(4, "abc", "def")).isEqualTo("cdef");
    assertThat(tail(4, "x".repeat(1000) + "wxyz")).isEqualTo("wxyz");
    assertThat(tail(4, "abcdefgh", "i")).isEqualTo("fghi");
  }

  @Test
  void it_begins_with_a_whole_character() {
    assertThat(tail(4, "aé€bc")).isEqualTo("bc");
    assertThat(tail(5, "aé€bc")).isEqualTo("€bc");
  }

  @Test
  void lines_come_one_by_one_and_long_ones_are_cut() {
    List<String> lines = new ArrayList<>();
    try (LineSplitter splitter = new LineSplitter(lines::add)) {
      byte[] text = ("a\r\nb" + "c".repeat(10_000) + "\n\nend").getBytes(StandardCharsets.UTF_8);
      splitter.write(text, 0, 1);
      splitter.write(text, 1, text.length - 1);
    }
    assertThat(lines).hasSize(4).startsWith("a").endsWith("", "end");
    assertThat(lines.get(1)).startsWith("bccc").hasSize(4096);
  }
}
