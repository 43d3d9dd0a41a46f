package dev.contrail.cli.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RetryAfterHeaderTest {
  private static final Instant NOW = Instant.parse("2026-11-06T08:49:00Z");

  private static Optional<Duration> parse(String value) {
    return RetryAfterHeader.parse(value, NOW);
  }

  @Test
  void a_number_is_seconds() {
    assertThat(parse("125")).contains(Duration.ofSeconds(125));
    assertThat(parse(" 0 ")).contains(Duration.ZERO);
  }

  @Test
  void a_huge_number_is_long_but_still_a_delay() {
    assertThat(parse("99999999999999999999999")).contains(Duration.ofSeconds(999_999_999));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Fri, 06 Nov 2026 08:49:37 GMT",
        "Friday, 06-Nov-26 08:49:37 GMT",
        "Fri Nov  6 08:49:37 2026"
      })
  void a_date_in_any_form_that_http_knows_is_a_delay_from_now(String date) {
    assertThat(parse(date)).contains(Duration.ofSeconds(37));
  }

  @Test
  void a_date_that_has_passed_means_at_once() {
    assertThat(parse("Sun, 06 Nov 1994 08:49:37 GMT")).contains(Duration.ZERO);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "soon",
        "-5",
        "1.5",
        "30s",
        "2026-11-06T08:49:37Z",
        "Fri, 31 Feb 2026 x",
        "١٢"
      })
  void what_cannot_be_read_is_no_delay(String garbage) {
    assertThat(parse(garbage)).isEmpty();
  }
}
