package dev.contrail.cli.drill.worker;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Finds the message at which a process stops among all that it writes. */
class WireTest {
  private static final String BEFORE = "PING\r\nHPUB a.b _INBOX.1 12 15\r\nNATS/1.0\r\n\r\nxyz\r\n";
  private static final String ACK = "PUB $JS.ACK.S.c.1.7.7.1.0 4\r\n+ACK\r\n";
  private static final String AFTER = "SUB x 3\r\n";

  private record Looking(String subject, String body, boolean isAfter) implements Wire.Watch {
    @Override
    public boolean isHere(String found, String bodyStart) {
      return found.startsWith(subject) && bodyStart.startsWith(body);
    }

    @Override
    public void reached(String found) {
      throw new AssertionError("not by the search itself");
    }
  }

  @Test
  void what_comes_before_goes_out_and_the_message_does_not() {
    assertThat(stop(BEFORE + ACK + AFTER, new Looking("$JS.ACK.", "+ACK", false)))
        .contains(new Wire.Stop(BEFORE.length(), "$JS.ACK.S.c.1.7.7.1.0"));
  }

  @Test
  void the_message_goes_out_too_where_the_point_is_after_it() {
    assertThat(stop(BEFORE + ACK + AFTER, new Looking("$JS.ACK.", "+ACK", true)))
        .contains(new Wire.Stop(BEFORE.length() + ACK.length(), "$JS.ACK.S.c.1.7.7.1.0"));
  }

  @Test
  void a_body_that_looks_like_a_message_is_none() {
    String body = "PUB a.b 1\r\nx\r\n";
    String wire = "PUB other " + body.length() + "\r\n" + body + "\r\n" + AFTER;
    assertThat(stop(wire, new Looking("a.b", "", false))).isEmpty();
  }

  @Test
  void other_words_on_the_same_subject_are_passed_over() {
    assertThat(stop(ACK.replace("+ACK", "+WPI"), new Looking("$JS.ACK.", "+ACK", false))).isEmpty();
  }

  private static Optional<Wire.Stop> stop(String wire, Wire.Watch watch) {
    byte[] bytes = wire.getBytes(US_ASCII);
    return Wire.stop(bytes, bytes.length, watch);
  }
}
