package dev.contrail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class CodecTest {
  @Test
  void bytes_are_handed_on_as_they_are() throws Exception {
    byte[] data = {0, -1, 127};

    assertThat(Codec.bytes().decode(data, Headers.none())).isSameAs(data);
  }

  @Property
  void any_text_in_utf8_is_read_back(@ForAll String text) throws Exception {
    byte[] data = text.getBytes(StandardCharsets.UTF_8);

    String decoded = Codec.utf8().decode(data, Headers.none());

    assertThat(decoded).isEqualTo(new String(data, StandardCharsets.UTF_8));
  }

  @Property
  void any_bytes_are_read_as_they_stand_or_refused(@ForAll byte[] data) throws Exception {
    try {
      String decoded = Codec.utf8().decode(data, Headers.none());

      assertThat(decoded.getBytes(StandardCharsets.UTF_8)).isEqualTo(data);
    } catch (IllegalArgumentException refused) {
      assertThat(refused).hasMessageContaining("not valid UTF-8");
    }
  }

  @Test
  void malformed_utf8_is_refused_with_the_place_where_it_breaks() {
    byte[] data = {'o', 'k', (byte) 0xC3, 'x'};

    assertThatThrownBy(() -> Codec.utf8().decode(data, Headers.none()))
        .hasMessage(
            "The payload is not valid UTF-8: the byte at offset 2 (0xC3) does not belong there.");
  }

  @Test
  void utf8_that_ends_within_a_character_is_refused() {
    byte[] data = {'o', 'k', (byte) 0xE2, (byte) 0x82};

    assertThatThrownBy(() -> Codec.utf8().decode(data, Headers.none()))
        .hasMessageContaining("offset 2");
  }

  @Test
  void an_overlong_form_is_refused() {
    byte[] data = {(byte) 0xC0, (byte) 0xAF};

    assertThatThrownBy(() -> Codec.utf8().decode(data, Headers.none()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
