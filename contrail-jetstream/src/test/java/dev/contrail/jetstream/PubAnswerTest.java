package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PubAnswerTest {
  @ParameterizedTest
  @CsvSource({
    "400, 10054, message size exceeds maximum allowed, false",
    "400, 10097, header size exceeds maximum allowed of 64k, false",
    "400, 10060, expected stream does not match, false",
    "400, 10071, wrong last sequence: 4, false",
    "400, 10109, invalid operation on sealed stream, false",
    "503, 10039, jetstream not enabled for account, false",
    "503, 10076, jetstream not enabled, false",
    "400, 10164, wrong last sequence, true",
    "503, 10077, maximum messages exceeded, true",
    "503, 10008, jetstream system temporarily unavailable, true",
    "503, 10023, insufficient resources, true",
    "500, 10047, insufficient storage resources available, true",
    "429, 10167, too many requests, true",
  })
  void a_refusal_is_for_now_or_for_good(int kind, int code, String description, boolean later) {
    PubAnswer answer = PubAnswer.refused(kind, code, description);

    assertThat(answer)
        .isEqualTo(
            later
                ? new PubAnswer.NotNow(description + " (" + code + ")")
                : new PubAnswer.Never(description + " (" + code + ")"));
  }

  /** So servers of 2.11 and newer say it; those before say it in an ack without a sequence. */
  @Test
  void a_message_of_the_same_key_that_is_being_stored_is_not_refused() {
    assertThat(PubAnswer.refused(409, 10158, "duplicate message id is in process"))
        .isEqualTo(new PubAnswer.InProcess());
  }

  @Test
  void nor_is_it_stored() {
    assertThat(PubAnswer.stored("ORDERS", 0, true)).isEqualTo(new PubAnswer.InProcess());
    assertThat(PubAnswer.stored("ORDERS", 7, true))
        .isEqualTo(new PubAnswer.Stored("ORDERS", 7, true));
  }
}
