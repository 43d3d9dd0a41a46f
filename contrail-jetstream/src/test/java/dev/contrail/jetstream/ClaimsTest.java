package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClaimsTest {
  private static final Claims CLAIMS =
      new Claims(
          Map.of(
              "ORDERS",
                  new Claims.Stream(List.of("orders.>"), List.of("orders.new", "orders.*.eu")),
              "MAIL", new Claims.Stream(List.of("mail.*"), List.of())));

  @Test
  void a_subject_is_claimed_when_a_filter_of_its_own_stream_takes_it() {
    assertThat(CLAIMS.claimed("orders.new")).contains(true);
    assertThat(CLAIMS.claimed("orders.old.eu")).contains(true);
    assertThat(CLAIMS.claimed("orders.old")).contains(false);
    assertThat(CLAIMS.claimed("mail.in")).contains(false);
  }

  @Test
  void nothing_is_said_of_a_subject_that_no_known_stream_takes() {
    assertThat(CLAIMS.claimed("mail.in.box")).isEmpty();
    assertThat(CLAIMS.claimed("orders")).isEmpty();
  }

  @Test
  void what_was_found_out_holds_for_as_many_subjects_as_come() {
    for (int i = 0; i < 25_000; i++) {
      assertThat(CLAIMS.claimed("orders." + i + ".eu")).contains(true);
      assertThat(CLAIMS.claimed("orders." + i + ".us")).contains(false);
    }
  }
}
