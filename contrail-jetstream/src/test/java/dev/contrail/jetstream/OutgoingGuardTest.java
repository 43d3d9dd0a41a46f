package dev.contrail.jetstream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutgoingGuardTest {
  private static final String HELLO = "CONNECT {\"lang\":\"java\"}\r\nPING\r\nSUB _INBOX.x.* 1\r\n";
  private static final String ACK = "PUB $JS.ACK.S.c.1.1.1.1.0 4\r\n+ACK\r\n";
  private static final String ACK_SYNC = "PUB $JS.ACK.S.c.1.1.1.1.0 _INBOX.x.1 4\r\n+ACK\r\n";
  private static final String ACK_WITH_HEADERS =
      "HPUB $JS.ACK.S.c.1.1.1.1.0 12 16\r\nNATS/1.0\r\n\r\n+ACK\r\n";
  private static final String OTHER =
      "PUB orders.new 31\r\nPUB $JS.ACK.S.c.1 4\r\n+ACK\r\n..\r\n\r\n";
  private static final String HEADERS = "HPUB orders.new 12 14\r\nNATS/1.0\r\n\r\nhi\r\n";

  private static final Shortcuts.Taker NOBODY = message -> {};

  private final Shortcuts shortcuts = new Shortcuts();

  private static String passed(OutgoingGuard guard, String... messages) throws IOException {
    byte[] written = Wire.join(List.of(messages).stream().map(Wire::bytes).toList());
    int length = guard.pass(written, written.length);
    return new String(written, 0, length, ISO_8859_1);
  }

  private OutgoingGuard guard(String name) {
    return new OutgoingGuard(name, shortcuts);
  }

  private OutgoingGuard reconnected(String name) {
    OutgoingGuard guard = guard(name);
    guard.cutAcks();
    return guard;
  }

  @Test
  void acks_before_the_mark_are_cut_with_it_and_everything_else_stays() throws Exception {
    OutgoingGuard guard = reconnected("7");

    assertThat(passed(guard, HELLO)).isEqualTo(HELLO);
    assertThat(passed(guard, ACK, OTHER, ACK_SYNC, HEADERS, ACK_WITH_HEADERS, OTHER))
        .isEqualTo(OTHER + HEADERS + OTHER);
    assertThat(guard.cutsAcks()).isTrue();
    assertThat(passed(guard, ACK, mark("7"))).isEmpty();
    assertThat(guard.cutsAcks()).isFalse();
  }

  @Test
  void what_a_publisher_may_have_sent_again_is_cut_before_the_mark_alone() throws Exception {
    String published = "HPUB orders.new _INBOX.p.1 12 14\r\nNATS/1.0\r\n\r\nhi\r\n";
    String request = "PUB orders.new _INBOX.q.1 2\r\nhi\r\n";
    OutgoingGuard.cutWhatAnswersTo("_INBOX.p.");
    try {
      assertThat(passed(reconnected("7"), published, request, mark("7"), published))
          .isEqualTo(request + published);
    } finally {
      OutgoingGuard.noMoreAnswersTo("_INBOX.p.");
    }
    assertThat(passed(reconnected("7"), published)).isEqualTo(published);
  }

  @Test
  void acks_behind_the_mark_stay() throws Exception {
    assertThat(passed(reconnected("7"), ACK, mark("7"), ACK_SYNC, OTHER))
        .isEqualTo(ACK_SYNC + OTHER);
  }

  @Test
  void the_mark_of_an_earlier_connection_is_cut_and_ends_nothing() throws Exception {
    OutgoingGuard guard = reconnected("71");

    assertThat(passed(guard, mark("7"), ACK, OTHER)).isEqualTo(OTHER);
    assertThat(guard.cutsAcks()).isTrue();
  }

  @Test
  void a_connection_that_was_never_lost_sends_all() throws Exception {
    assertThat(passed(guard("7"), HELLO, ACK, OTHER, ACK_SYNC, HEADERS))
        .isEqualTo(HELLO + ACK + OTHER + ACK_SYNC + HEADERS);
  }

  @Test
  void what_a_bundle_holds_is_written_in_its_place() throws Exception {
    assertThat(passed(guard("7"), OTHER, bundle(ACK, ACK), HEADERS, bundle(ACK)))
        .isEqualTo(OTHER + ACK + ACK + HEADERS + ACK);
  }

  @Test
  void a_bundle_that_the_lost_connection_left_is_cut_and_one_behind_the_mark_is_not()
      throws Exception {
    assertThat(passed(reconnected("7"), bundle(ACK, ACK), OTHER, mark("7"), bundle(ACK)))
        .isEqualTo(OTHER + ACK);
  }

  @Test
  void what_an_application_publishes_under_such_a_name_is_a_message_as_any_other()
      throws Exception {
    String first = OutgoingGuard.BUNDLE.substring(0, OutgoingGuard.BUNDLE.lastIndexOf('.'));
    String message = "PUB " + first + " " + ACK.length() + "\r\n" + ACK + "\r\n";
    String mark = "PUB _contrail.mark.7 0\r\n\r\n";

    assertThat(passed(reconnected("7"), message, mark)).isEqualTo(message + mark);
  }

  @Test
  void the_number_of_a_subscription_that_has_a_shortcut_is_learnt_and_learnt_anew()
      throws Exception {
    shortcuts.open("_INBOX.x.*", NOBODY);
    String others = "SUB orders.* 3\r\nSUB _INBOX.x.* group 4\r\nUNSUB 1\r\n";

    assertThat(passed(guard("7"), HELLO, others)).isEqualTo(HELLO + others);
    assertThat(shortcuts.taker(1)).isNotNull();
    assertThat(shortcuts.taker(3)).isNull();
    assertThat(shortcuts.taker(4)).isNull();

    assertThat(passed(reconnected("8"), "SUB _INBOX.x.* 9\r\n")).isEqualTo("SUB _INBOX.x.* 9\r\n");
    assertThat(shortcuts.taker(9)).isNotNull();
    assertThat(shortcuts.taker(1)).isNull();

    shortcuts.close("_INBOX.x.*");
    assertThat(shortcuts.taker(9)).isNull();
    assertThat(shortcuts.isAnyOpen()).isFalse();
  }

  private static String bundle(String... acks) {
    String body = String.join("", acks);
    return "PUB " + OutgoingGuard.BUNDLE + " " + body.length() + "\r\n" + body + "\r\n";
  }

  private static String mark(String name) {
    return "PUB " + new OutgoingGuard(name, new Shortcuts()).mark() + " 0\r\n\r\n";
  }
}
