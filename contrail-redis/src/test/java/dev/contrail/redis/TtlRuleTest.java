package dev.contrail.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.Durations;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The TTL must outlast whatever lets a completed message come again. */
class TtlRuleTest {
  @ParameterizedTest(name = "TTL {0}, longest outage {1}, effective AckWait {2}: {3}")
  @CsvSource(
      textBlock =
          """
          # set, longest outage, effective AckWait, TTL or 'refused'
          -,     24h,   30s,   2d
          -,     24h,   1h,    2d
          -,     24h,   24h,   2d
          -,     24h,   30h,   2d12h
          -,     0s,    30s,   1h
          -,     0s,    1h,    2h
          -,     10m,   20m,   1h
          -,     7d,    1h,    14d
          -,     3650d, 1h,    3650d
          24h,   24h,   1h,    24h
          1d1h,  24h,   1h,    1d1h
          23h,   24h,   1h,    refused
          1h,    0s,    1h,    1h
          59m,   0s,    1h,    refused
          59m,   59m,   59m,   59m
          2s,    1s,    2s,    2s
          2s,    1s,    2s1ms, refused
          2s,    2s1ms, 1s,    refused
          1s,    24h,   30s,   refused
          """)
  void the_ttl_is_derived_or_held_to_what_it_would_be_derived_from(
      String set, String longestOutage, String ackWait, String expected) {
    TtlRule rule =
        new TtlRule(set.equals("-") ? Optional.empty() : Optional.of(d(set)), d(longestOutage));
    if (expected.equals("refused")) {
      assertThat(rule.objection(d(ackWait))).isPresent();
    } else {
      assertThat(rule.objection(d(ackWait))).isEmpty();
      assertThat(rule.ttl(d(ackWait))).isEqualTo(d(expected));
    }
  }

  @Test
  void the_objection_names_both_values_and_what_to_do() {
    assertThat(TtlRule.derived().withTtl(d("2h")).withLongestOutage(d("3h")).objection(d("1h")))
        .hasValue(
            "The Redis ledger forgets a completion after 2h (its TTL), but a completed message may"
                + " come again for 3h (the longest of AckWait and retry delays, 1h, and the longest"
                + " outage, 3h) and would be processed twice; set a TTL of at least 3h or none,"
                + " which derives it, or shorten what is longer.");
  }

  @ParameterizedTest
  @CsvSource({
    "0s, 24h, 'the TTL of the Redis ledger is 0s, but must be between 1s and 3650d'",
    "999ms, 24h, 'the TTL of the Redis ledger is 999ms, but must be between 1s and 3650d'",
    "3651d, 24h, 'the TTL of the Redis ledger is 3651d, but must be between 1s and 3650d'",
    "1h, 3651d, 'the longest outage of the Redis ledger is 3651d, but must be between 0s and 3650d'"
  })
  void what_is_out_of_range_is_refused_in_one_sentence(
      String ttl, String longestOutage, String message) {
    assertThatThrownBy(() -> new TtlRule(Optional.of(d(ttl)), d(longestOutage)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  private static Duration d(String text) {
    return Durations.parse("a test", text);
  }
}
