package dev.contrail.jetstream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class StaleAcksTest {
  private static final String HELLO = "CONNECT {\"lang\":\"java\"}\r\nPING\r\nSUB _INBOX.x.* 1\r\n";
  private static final String ACK = "PUB $JS.ACK.S.c.1.1.1.1.0 4\r\n+ACK\r\n";
  private static final String ACK_SYNC = "PUB $JS.ACK.S.c.1.1.1.1.0 _INBOX.x.1 4\r\n+ACK\r\n";
  private static final String ACK_WITH_HEADERS =
      "HPUB $JS.ACK.S.c.1.1.1.1.0 12 16\r\nNATS/1.0\r\n\r\n+ACK\r\n";
  private static final String OTHER =
      "PUB orders.new 31\r\nPUB $JS.ACK.S.c.1 4\r\n+ACK\r\n..\r\n\r\n";
  private static final String HEADERS = "HPUB orders.new 12 14\r\nNATS/1.0\r\n\r\nhi\r\n";

  private static String cut(StaleAcks stale, String... messages) throws IOException {
    byte[] written = Wire.join(List.of(messages).stream().map(Wire::bytes).toList());
    int length = stale.cut(written, written.length);
    return new String(written, 0, length, ISO_8859_1);
  }

  @Test
  void acks_before_the_mark_are_cut_with_it_and_everything_else_stays() throws Exception {
    StaleAcks stale = new StaleAcks("7");

    assertThat(cut(stale, HELLO)).isEqualTo(HELLO);
    assertThat(cut(stale, ACK, OTHER, ACK_SYNC, HEADERS, ACK_WITH_HEADERS, OTHER))
        .isEqualTo(OTHER + HEADERS + OTHER);
    assertThat(stale.markPassed()).isFalse();
    assertThat(cut(stale, ACK, mark("7"))).isEmpty();
    assertThat(stale.markPassed()).isTrue();
  }

  @Test
  void acks_behind_the_mark_stay() throws Exception {
    StaleAcks stale = new StaleAcks("7");

    assertThat(cut(stale, ACK, mark("7"), ACK_SYNC, OTHER)).isEqualTo(ACK_SYNC + OTHER);
  }

  @Test
  void the_mark_of_an_earlier_connection_is_cut_and_ends_nothing() throws Exception {
    StaleAcks stale = new StaleAcks("71");

    assertThat(cut(stale, mark("7"), ACK, OTHER)).isEqualTo(OTHER);
    assertThat(stale.markPassed()).isFalse();
  }

  private static String mark(String name) {
    return "PUB " + new StaleAcks(name).mark() + " 0\r\n\r\n";
  }
}
