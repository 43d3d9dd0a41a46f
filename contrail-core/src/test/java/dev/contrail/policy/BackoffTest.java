package dev.contrail.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {
  private static final double ALMOST_ONE = Math.nextDown(1.0);

  @ParameterizedTest
  @CsvSource({
    "1, PT1S",
    "2, PT2S",
    "3, PT4S",
    "9, PT4M16S",
    "10, PT5M",
    "11, PT5M",
    "100, PT5M",
    "10000, PT5M",
    "9223372036854775807, PT5M"
  })
  void the_ceiling_doubles_up_to_five_minutes_and_stays_there(long delivery, Duration ceiling) {
    assertThat(Backoff.DEFAULT.delay(delivery, ALMOST_ONE))
        .isBetween(ceiling.minusMillis(1), ceiling);
    assertThat(Backoff.DEFAULT.delay(delivery, 0.5)).isEqualTo(ceiling.dividedBy(2));
    assertThat(Backoff.DEFAULT.delay(delivery, 0)).isEqualTo(Duration.ZERO);
  }

  @Property
  void every_delay_lies_between_nothing_and_the_longest(
      @ForAll @LongRange(min = 1) long delivery,
      @ForAll @DoubleRange(max = 1, maxIncluded = false) double jitter,
      @ForAll @DoubleRange(min = 1, max = 100) double factor) {
    Backoff backoff = new Backoff(Duration.ofMillis(3), factor, Duration.ofMinutes(1));

    assertThat(backoff.delay(delivery, jitter)).isBetween(Duration.ZERO, Duration.ofMinutes(1));
  }

  @Property
  void the_jitter_is_full(
      @ForAll @LongRange(min = 1, max = 50) long delivery,
      @ForAll @DoubleRange(max = 1, maxIncluded = false) double jitter) {
    Duration ceiling = Backoff.DEFAULT.delay(delivery, ALMOST_ONE).plusMillis(1);

    double share = (double) Backoff.DEFAULT.delay(delivery, jitter).toMillis() / ceiling.toMillis();

    assertThat(share).isBetween(jitter - 0.002, jitter + 0.002);
  }

  @Test
  void a_factor_of_one_keeps_the_first_delay() {
    Backoff backoff = new Backoff(Duration.ofSeconds(8), 1, Duration.ofMinutes(1));

    assertThat(backoff.delay(1, 0.5)).isEqualTo(Duration.ofSeconds(4));
    assertThat(backoff.delay(10_000, 0.5)).isEqualTo(Duration.ofSeconds(4));
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 2, PT5M, 'backoff first is 0s, but must be at least 1ms'",
    "PT-1S, 2, PT5M, 'backoff first is -1s, but must be at least 1ms'",
    "PT10M, 2, PT5M, 'backoff first is 10m, but must not exceed backoff longest, which is 5m'",
    "PT1S, 2, P40000D, 'backoff longest is 40000d, but must be at most 36500d'",
    "PT1S, 0.9, PT5M, 'backoff factor is 0.9, but must be between 1 and 100'",
    "PT1S, 101, PT5M, 'backoff factor is 101.0, but must be between 1 and 100'",
    "PT1S, NaN, PT5M, 'backoff factor is NaN, but must be between 1 and 100'"
  })
  void what_is_out_of_range_is_refused_with_a_sentence(
      Duration first, double factor, Duration longest, String sentence) {
    assertThatThrownBy(() -> new Backoff(first, factor, longest))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(sentence);
  }
}
