package dev.contrail.event;

import static dev.contrail.event.Events.ID;
import static dev.contrail.event.Events.replay;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.Header;
import dev.contrail.Headers;
import dev.contrail.evidence.DeadLetterId;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayCopyTest {
  private static final ReplayCopy COPY = new ReplayCopy(ID, 3);
  private static final String OWN =
      """
      Nats-Msg-Id: ORDERS.billing.ho77nadw1d.42#3
      Contrail-Replay-Of: ORDERS.billing.ho77nadw1d.42
      Contrail-Replay-Attempt: 3
      Contrail-Replay-For: billing
      Contrail-Replay-Root: ORDERS.billing.ho77nadw1d.42
      Contrail-Replay-Count: 1
      """
          .replace("\n", "\r\n");

  @Test
  void the_original_lines_follow_the_own_ones_byte_for_byte() {
    assertThat(block("NATS/1.0\r\nX-Name:  Jos\u00e9 \r\nX-Order: 1\r\nX-Order: 2\r\n\r\n"))
        .isEqualTo(
            "NATS/1.0\r\n" + OWN + "X-Name:  Jos\u00e9 \r\nX-Order: 1\r\nX-Order: 2\r\n\r\n");
  }

  @Test
  void a_message_without_headers_gets_the_own_ones() {
    assertThat(block("")).isEqualTo("NATS/1.0\r\n" + OWN + "\r\n");
  }

  @Test
  void what_steers_the_server_or_belongs_to_an_earlier_replay_is_left_out() {
    String original =
        """
        NATS/1.0
        Nats-Msg-Id: order-1
        X: 1
        nats-rollup: all
        Nats-Expected-Last-Sequence: 4
        Contrail-Replay-Of: a.b.c.1
        Contrail-Replay-Version: 2
        Contrail-Other: kept

        """
            .replace("\n", "\r\n");
    assertThat(block(original))
        .isEqualTo("NATS/1.0\r\n" + OWN + "X: 1\r\nContrail-Other: kept\r\n\r\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"no structure", "NATS/1.0", "X: 1\r\n\r\n", "\u00ff\u00fe"})
  void a_block_without_a_version_line_is_kept_behind_one(String block) {
    assertThat(block(block)).isEqualTo("NATS/1.0\r\n" + OWN + block);
  }

  @Property
  void whatever_the_original_was_the_copy_is_known_by_its_headers(
      @ForAll @Size(max = 100) byte[] original) {
    assertThat(ReplayCopy.read(Headers.parse(COPY.headerBlock(replay(), original)))).contains(COPY);
  }

  @Test
  void names_that_are_not_ascii_are_encoded() {
    DeadLetterId odd = new DeadLetterId("größe", "zähler", "x", 1);
    Step.Replay replay = new Step.Replay("p", "s", "größe", Optional.of("zähler"), 2, odd, 1);
    ReplayCopy copy = new ReplayCopy(odd, 1);

    byte[] block = copy.headerBlock(replay, new byte[0]);

    assertThat(new String(block, ISO_8859_1))
        .matches("[\\x0d\\x0a\\x20-\\x7e]*")
        .contains("Contrail-Replay-Version: 2\r\n");
    assertThat(ReplayCopy.read(Headers.parse(block))).contains(copy);
  }

  @Test
  void headers_that_were_passed_on_to_another_message_make_it_no_copy() {
    String of = ID.toString();
    assertThat(read(of, "3", of + "#3")).contains(COPY);
    assertThat(read(of, "3", of + "#2")).isEmpty();
    assertThat(read(of, "3", "order-7")).isEmpty();
    assertThat(read(of, "0", of + "#0")).isEmpty();
    assertThat(read(of, "-1", of + "#-1")).isEmpty();
    assertThat(read(of, "03", of + "#3")).isEmpty();
    assertThat(read(of, "", of + "#")).isEmpty();
    assertThat(read(of, "9999999999", of + "#9999999999")).isEmpty();
    assertThat(read("orders", "3", "orders#3")).isEmpty();
    assertThat(ReplayCopy.read(Headers.none())).isEmpty();
  }

  @Test
  void the_key_is_that_of_the_root_and_another_for_each_version() {
    DeadLetterId root = new DeadLetterId("ORDERS", "billing", "inc", 7);
    assertThat(ReplayCopy.idempotencyKey(replayOf(root, 0))).isEqualTo("ORDERS.inc.7");
    assertThat(ReplayCopy.idempotencyKey(replayOf(root, 2))).isEqualTo("ORDERS.inc.7.v2");
  }

  private static Step.Replay replayOf(DeadLetterId root, int version) {
    return new Step.Replay("p", "orders.new", "ORDERS", Optional.empty(), version, root, 2);
  }

  private static Optional<ReplayCopy> read(String of, String attempt, String messageId) {
    return ReplayCopy.read(
        Headers.of(
            List.of(
                new Header("Nats-Msg-Id", messageId),
                new Header("Contrail-Replay-Of", of),
                new Header("Contrail-Replay-Attempt", attempt))));
  }

  private static String block(String original) {
    return new String(COPY.headerBlock(replay(), original.getBytes(ISO_8859_1)), ISO_8859_1);
  }
}
