package dev.contrail;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class HeadersTest {
  @Test
  void lines_keep_their_order_and_their_repetitions() {
    Headers headers = parse("NATS/1.0\r\nB:1\r\nA:2\r\nB:3\r\n\r\n");

    assertThat(headers)
        .containsExactly(new Header("B", "1"), new Header("A", "2"), new Header("B", "3"));
  }

  @Test
  void an_inline_status_is_no_header() {
    Headers headers = parse("NATS/1.0 503 No Responders\r\nA:1\r\n\r\n");

    assertThat(headers).containsExactly(new Header("A", "1"));
  }

  @Test
  void blanks_around_a_value_are_dropped_and_those_within_kept() {
    Headers headers = parse("NATS/1.0\r\nA: \t a  b\t \r\n\r\n");

    assertThat(headers).containsExactly(new Header("A", "a  b"));
  }

  @Test
  void a_value_may_be_empty_and_may_hold_colons() {
    Headers headers = parse("NATS/1.0\r\nA:\r\nB: 10:20:30\r\n\r\n");

    assertThat(headers).containsExactly(new Header("A", ""), new Header("B", "10:20:30"));
  }

  @Test
  void a_line_without_a_colon_becomes_a_name_without_a_value() {
    Headers headers = parse("NATS/1.0\r\nlonely\r\nA:1\r\n\r\n");

    assertThat(headers).containsExactly(new Header("lonely", ""), new Header("A", "1"));
  }

  @Test
  void utf8_is_read_as_such_and_anything_else_as_latin_1() {
    byte[] utf8 = "NATS/1.0\r\nName: José\r\n\r\n".getBytes(StandardCharsets.UTF_8);
    byte[] latin1 = "NATS/1.0\r\nName: José\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

    assertThat(Headers.parse(utf8)).containsExactly(new Header("Name", "José"));
    assertThat(Headers.parse(latin1)).containsExactly(new Header("Name", "José"));
  }

  @Test
  void a_block_that_is_cut_off_gives_what_is_there() {
    assertThat(parse("NATS/1.0\r\nA:1\r\nB:2")).hasSize(2);
    assertThat(parse("NATS/1.0")).isEmpty();
    assertThat(parse("")).isEmpty();
  }

  @Test
  void lines_may_end_in_a_line_feed_alone() {
    assertThat(parse("NATS/1.0\nA:1\nB:2\n\n"))
        .containsExactly(new Header("A", "1"), new Header("B", "2"));
  }

  @Test
  void what_follows_the_empty_line_is_no_header() {
    assertThat(parse("NATS/1.0\r\nA:1\r\n\r\nB:2\r\n\r\n")).containsExactly(new Header("A", "1"));
  }

  @Test
  void the_block_is_what_nats_writes() {
    Headers headers = Headers.of(List.of(new Header("B", "x y"), new Header("A", "")));

    assertThat(headers.block()).asString().isEqualTo("NATS/1.0\r\nB:x y\r\nA:\r\n\r\n");
    assertThat(Headers.none().block()).isEmpty();
  }

  @Test
  void a_line_break_in_a_value_starts_no_header_of_its_own() {
    Headers headers = Headers.of(List.of(new Header("A", "1\r\nB:2\nC:3")));

    assertThat(Headers.parse(headers.block())).containsExactly(new Header("A", "1  B:2 C:3"));
  }

  @Property
  void any_bytes_are_survived(@ForAll byte[] block) {
    assertThat(Headers.parse(block)).isNotNull();
  }

  @Property
  void any_bytes_after_the_version_are_survived(@ForAll("headerishBytes") byte[] rest) {
    byte[] block = concat("NATS/1.0\r\n".getBytes(StandardCharsets.US_ASCII), rest);

    Headers once = Headers.parse(block);
    Headers again = Headers.parse(once.block());

    assertThat(again).hasSameSizeAs(once);
    assertThat(Headers.parse(again.block())).isEqualTo(again);
  }

  @Property
  void what_was_written_is_read_back(@ForAll("headers") Headers headers) {
    assertThat(Headers.parse(headers.block())).isEqualTo(headers);
  }

  @Provide
  Arbitrary<byte[]> headerishBytes() {
    return Arbitraries.bytes()
        .array(byte[].class)
        .ofMaxSize(60)
        .edgeCases(edges -> edges.add(new byte[] {':'}, new byte[] {'\r'}, new byte[] {'\n'}))
        .map(
            bytes -> {
              byte[] separators = {'\r', '\n', ':', ' ', 'a', (byte) 0xE9, (byte) 0xC3, '\t'};
              for (int i = 0; i < bytes.length; i++) {
                if (bytes[i] % 3 == 0) {
                  bytes[i] = separators[Math.floorMod(bytes[i], separators.length)];
                }
              }
              return bytes;
            });
  }

  @Provide
  Arbitrary<Headers> headers() {
    Arbitrary<String> text =
        Arbitraries.strings().all().excludeChars('\r', '\n', ':').map(HeadersTest::wellFormed);
    Arbitrary<String> value = text.map(raw -> raw.replaceAll("^[ \t]+|[ \t]+$", ""));
    return Combinators.combine(text, value).as(Header::new).list().map(Headers::of);
  }

  private static String wellFormed(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static Headers parse(String block) {
    return Headers.parse(block.getBytes(StandardCharsets.US_ASCII));
  }
}
