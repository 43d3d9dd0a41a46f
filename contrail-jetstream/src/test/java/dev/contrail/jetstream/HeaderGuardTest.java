package dev.contrail.jetstream;

import static dev.contrail.jetstream.Wire.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderGuardTest {
  private static final String ACK = " $JS.ACK.ORDERS.billing.1.7.7.1700000000000000000.0";
  private static final String PAYLOAD = "{\"cents\":1}";

  private static String rewritten(String reply, String block) {
    List<Wire.Received> messages =
        Wire.messages(Wire.guarded(Wire.hmsg(reply, bytes(block), bytes(PAYLOAD))));
    assertThat(messages).hasSize(1);
    assertThat(messages.get(0).payload()).isEqualTo(PAYLOAD);
    return messages.get(0).headers();
  }

  private static String raw(String block) {
    return "Contrail-Raw-Headers:" + Base64.getEncoder().encodeToString(bytes(block)) + "\r\n";
  }

  @Test
  void a_value_above_127_moves_into_the_raw_header_and_its_neighbours_stay() {
    String block = "NATS/1.0\r\nTrace: 1\r\nX-Name: José\r\nNats-Msg-Id: m1\r\n\r\n";

    assertThat(rewritten(ACK, block))
        .isEqualTo("NATS/1.0\r\nTrace: 1\r\nNats-Msg-Id: m1\r\n" + raw(block) + "\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "N",
        "NATS/1.0",
        "NATS/1.0\r\n",
        "NATS/2.0\r\nA: b\r\n\r\n",
        "NATS/1.0 abc\r\n\r\n",
        "NATS/1.0 \r\n\r\n",
        "NATS/1.0 99999999999\r\n\r\n",
        "NATS/1.0\r\nno colon\r\n\r\n",
        "NATS/1.0\r\n: no name\r\n\r\n",
        "NATS/1.0\r\n folded\r\n\r\n",
        "NATS/1.0\r\nna me: v\r\n\r\n",
        "NATS/1.0\r\nn\u0001: v\r\n\r\n",
        "NATS/1.0\r\nA: b\nC: d\r\n\r\n",
        "NATS/1.0\r\nA: b\rC: d\r\n\r\n",
        "NATS/1.0\r\nA: b\r\n",
        "NATS/1.0\r\nA: b\r\n\r\ntrailing",
        "NATS/1.0\r\nA:"
      })
  void a_malformed_block_becomes_one_that_holds_it(String block) {
    assertThat(rewritten("", block)).startsWith("NATS/1.0\r\n").endsWith(raw(block) + "\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NATS/1.0 503\r\n\r\n",
        "NATS/1.0 404 No Messages\r\n\r\n",
        "NATS/1.0 409 Consumer Deleted\r\n\r\n",
        "NATS/1.0 100 Idle Heartbeat\r\nNats-Last-Consumer: 1\r\nNats-Last-Stream: 2\r\n\r\n"
      })
  void a_status_of_the_server_passes_and_one_that_was_published_is_a_message(String block) {
    assertThat(rewritten("", block)).isEqualTo(block);
    assertThat(rewritten(" $JS.FC.ORDERS.x", block)).isEqualTo(block);
    assertThat(rewritten(ACK, block)).startsWith("NATS/1.0\r\n").endsWith(raw(block) + "\r\n");
  }

  @Test
  void a_publisher_cannot_forge_the_original_block() {
    String block = "NATS/1.0\r\nA: b\r\nContrail-Raw-Headers: Zm9yZ2Vk\r\n\r\n";

    assertThat(rewritten(ACK, block)).isEqualTo("NATS/1.0\r\nA: b\r\n" + raw(block) + "\r\n");
  }

  @Test
  void a_payload_that_looks_like_the_protocol_is_not_read_as_such() {
    byte[] sent = Wire.msg("", Wire.hmsg("", bytes("bad"), bytes("x")));

    assertThat(Wire.guarded(sent, 1)).isEqualTo(sent);
  }

  @Test
  void a_block_larger_than_the_buffer_is_rewritten_too() {
    String block = "NATS/1.0\r\nBig: " + "é".repeat(3_000_000) + "\r\n\r\n";

    assertThat(rewritten(ACK, block)).isEqualTo("NATS/1.0\r\n" + raw(block) + "\r\n");
  }

  @Test
  void nothing_is_held_back_after_a_whole_info_line() throws Exception {
    HeaderGuard guard = new HeaderGuard(new Shortcuts());
    byte[] info = bytes("INFO {} \r\n");
    byte[] dst = new byte[100];

    assertThat(guard.read(new ByteArrayInputStream(info), dst, 0, dst.length))
        .isEqualTo(info.length);
    assertThat(guard.holdsBytes()).isFalse();
  }

  @Test
  void bytes_smuggled_in_behind_the_info_line_are_noticed() throws Exception {
    HeaderGuard guard = new HeaderGuard(new Shortcuts());
    byte[] info = bytes("INFO {} \r\nHMSG orders.new 1");
    byte[] dst = new byte[100];

    assertThat(guard.read(new ByteArrayInputStream(info), dst, 0, dst.length)).isEqualTo(10);
    assertThat(guard.holdsBytes()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "MSG orders.new 7 x\r\n",
        "MSG orders.new 7 \r\n",
        "MSG orders.new 7 99999999999\r\n",
        "HMSG orders.new 7 12 4294967295\r\n",
        "HMSG orders.new 7 12 11\r\n"
      })
  void sizes_that_make_no_sense_end_the_connection(String line) {
    assertThatThrownBy(() -> Wire.guarded(bytes(line))).hasMessageContaining("The server sent a m");
  }
}
