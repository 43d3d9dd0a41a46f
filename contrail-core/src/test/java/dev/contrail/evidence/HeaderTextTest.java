package dev.contrail.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderTextTest {
  @ParameterizedTest
  @CsvSource({
    "plain text, plain text",
    "'a: b, c', 'a: b, c'",
    "' edges ', %20edges%20",
    "100%, 100%25",
    "José, Jos%C3%A9",
    "😀, %F0%9F%98%80",
    "' ', %20",
    "'  ', %20%20",
    "'', ''"
  })
  void only_what_a_header_cannot_hold_is_encoded(String text, String encoded) {
    assertThat(HeaderText.encode(text)).isEqualTo(encoded);
  }

  @Test
  void line_breaks_are_encoded() {
    assertThat(HeaderText.encode("a\r\n\tb")).isEqualTo("a%0D%0A%09b");
  }

  @Test
  void half_a_surrogate_pair_becomes_the_replacement_character() {
    String encoded = HeaderText.encode("a\uD83Db\uDE00");

    assertThat(HeaderText.decode(encoded)).contains("a\uFFFDb\uFFFD");
  }

  @Test
  void the_name_of_the_create_once_header_never_stands_in_a_value() {
    String text = "wrong Nats-Expected-Last-Subject-Sequence: 7";

    String encoded = HeaderText.encode(text);

    assertThat(encoded).isEqualTo("wrong %4Eats-Expected-Last-Subject-Sequence: 7");
    assertThat(HeaderText.decode(encoded)).contains(text);
  }

  @Property
  void any_text_is_read_back(@ForAll String text) {
    String encoded = HeaderText.encode(text);

    assertThat(encoded.chars()).allMatch(c -> c >= 0x20 && c <= 0x7E);
    assertThat(encoded).isEqualTo(encoded.strip());
    assertThat(HeaderText.decode(encoded)).contains(withoutHalfPairs(text));
  }

  @Property
  void any_text_is_shortened_to_any_length(
      @ForAll @StringLength(max = 60) String text,
      @ForAll @IntRange(min = 9, max = 90) int length) {
    String encoded = HeaderText.encodeWithin(text, length);

    assertThat(encoded.length()).isLessThanOrEqualTo(length);
    String decoded = HeaderText.decode(encoded).orElseThrow();
    if (HeaderText.encode(text).length() <= length) {
      assertThat(decoded).isEqualTo(withoutHalfPairs(text));
    } else {
      assertThat(decoded).endsWith("…");
      assertThat(withoutHalfPairs(text)).startsWith(decoded.substring(0, decoded.length() - 1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"%", "100%", "%4", "%zz", "%-1", "José", "a\tb"})
  void what_was_not_encoded_is_not_decoded(String value) {
    assertThat(HeaderText.decode(value)).isEmpty();
  }

  private static String withoutHalfPairs(String text) {
    return text.codePoints()
        .map(c -> c >= 0xD800 && c <= 0xDFFF ? 0xFFFD : c)
        .mapToObj(Character::toString)
        .collect(Collectors.joining());
  }
}
