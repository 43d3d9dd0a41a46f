package dev.contrail.operations.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.redaction.Redaction;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PayloadDifferenceTest {
  @Test
  void what_changed_is_shown_with_three_lines_around_it() {
    assertThat(difference("a\nb\nc\nd\ne\nf\ng\nh\ni", "a\nb\nc\nd\nE\nf\ng\nh\ni"))
        .containsExactly("@@ -2,7 +2,7 @@", " b", " c", " d", "-e", "+E", " f", " g", " h");
  }

  @Test
  void changes_far_from_each_other_are_shown_apart() {
    String before = numbers(1, 30);
    String after = before.replace("\n4\n", "\nfour\n").replace("\n20\n", "\n").replace("30", "x");
    assertThat(difference(before, after))
        .containsExactly(
            "@@ -1,7 +1,7 @@",
            " 1",
            " 2",
            " 3",
            "-4",
            "+four",
            " 5",
            " 6",
            " 7",
            "@@ -17,7 +17,6 @@",
            " 17",
            " 18",
            " 19",
            "-20",
            " 21",
            " 22",
            " 23",
            "@@ -27,4 +26,4 @@",
            " 27",
            " 28",
            " 29",
            "-30",
            "+x");
  }

  @Test
  void lines_in_between_that_stay_are_not_shown_as_changed() {
    assertThat(difference("1\nx\n2", "one\nx\ntwo"))
        .containsExactly("@@ -1,3 +1,3 @@", "-1", "+one", " x", "-2", "+two");
    assertThat(difference("", "a")).containsExactly("@@ -0,0 +1 @@", "+a");
    assertThat(difference("a", "")).containsExactly("@@ -1 +0,0 @@", "-a");
    assertThat(difference("a\nb", "a\nb")).isEmpty();
  }

  @Test
  void a_line_end_is_told_of_where_it_is_what_differs() {
    assertThat(difference("a\nb", "a\nb\n"))
        .containsExactly("@@ -1,2 +1,2 @@", " a", "-b", "\\ no line end here", "+b");
    assertThat(difference("a\n", "b\n")).containsExactly("@@ -1 +1 @@", "-a", "+b");
  }

  @Test
  void of_a_long_line_the_place_that_differs_is_shown() {
    String before = "{" + "\"k\":1,".repeat(500) + "\"amount\":12" + ",\"k\":1".repeat(500) + "}";
    List<String> shown = difference(before, before.replace(":12", ":13"));
    assertThat(shown).hasSize(3);
    assertThat(shown.get(1)).startsWith("-…").contains("\"amount\":12,").endsWith("…");
    assertThat(shown.get(2)).startsWith("+…").contains("\"amount\":13,").endsWith("…");
    assertThat(shown).allSatisfy(line -> assertThat(line).hasSizeLessThan(300));
  }

  @Test
  void a_character_is_never_cut_in_two() {
    for (int shift = 0; shift < 2; shift++) {
      String before = "x".repeat(shift) + "😀".repeat(400);
      for (String line : difference(before, before + "!")) {
        assertThat(new String(line.getBytes(UTF_8), UTF_8)).isEqualTo(line);
      }
    }
  }

  @Test
  void it_takes_no_more_room_than_there_is() {
    byte[] before = numbers(1, 5_000).getBytes(UTF_8);
    byte[] after = numbers(10_000, 15_000).getBytes(UTF_8);
    assertThat(PayloadDifference.of(before, after).getBytes(UTF_8))
        .hasSizeBetween(8_000, PayloadDifference.MOST_BYTES);
    assertThat(PayloadDifference.of(before, after))
        .endsWith(" more lines differ or stand beside them");
    for (int room = 0; room < 200; room++) {
      assertThat(PayloadDifference.of(before, after, room).getBytes(UTF_8))
          .hasSizeLessThanOrEqualTo(room);
    }
  }

  @Test
  void of_what_is_no_text_sizes_and_hashes_are_told() {
    assertThat(PayloadDifference.of(new byte[] {(byte) 0xFF}, "ab".getBytes(UTF_8)).lines())
        .containsExactly(
            "-1 bytes, sha-256 a8100ae6aa1940d0b663bb31cd466142ebbdbd5187131b92d93818987832eb89",
            "+2 bytes, sha-256 fb8e20fc2e4c3f248c60c39bd652f3c1347298bb977b8b4d5903b85055620603");
  }

  @Test
  void what_is_redacted_is_in_no_difference() {
    Redaction rules = Redaction.of(List.of(), List.of("$.card"));
    byte[] before = "{\n\"card\": 4111,\n\"n\": 1}".getBytes(UTF_8);
    byte[] after = "{\n\"card\": 4222,\n\"n\": 2}".getBytes(UTF_8);
    assertThat(Edits.seen(rules, before, after).lines())
        .containsExactly(
            "@@ -1,3 +1,3 @@", " {", " \"card\": \"[redacted]\",", "-\"n\": 1}", "+\"n\": 2}");
    byte[] alone = "{\n\"card\": 4222,\n\"n\": 1}".getBytes(UTF_8);
    assertThat(Edits.seen(rules, before, alone)).isEqualTo("(all that differs is redacted)");
    assertThat(Edits.seen(rules, before, before)).isEmpty();
  }

  private static String numbers(int from, int to) {
    return IntStream.rangeClosed(from, to)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining("\n"));
  }

  private static List<String> difference(String before, String after) {
    return PayloadDifference.of(before.getBytes(UTF_8), after.getBytes(UTF_8)).lines().toList();
  }
}
