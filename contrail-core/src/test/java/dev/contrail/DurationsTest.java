package dev.contrail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
  @ParameterizedTest
  @CsvSource({
    "500ms, PT0.5S",
    "30s, PT30S",
    "10m, PT10M",
    "1h30m, PT1H30M",
    "2d, PT48H",
    "1d2h3m4s5ms, PT26H3M4.005S",
    "90m, PT1H30M",
    "0s, PT0S",
    "' 30s ', PT30S",
    "PT30S, PT30S",
    "pt1h, PT1H",
    "P2D, PT48H",
    "PT0.000001S, PT0.000001S"
  })
  void durations_are_read_as_people_write_them(String text, Duration expected) {
    assertThat(Durations.parse("ack wait", text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "30",
        "s",
        "30 s",
        "1.5h",
        "30m1h",
        "30s30s",
        "10M",
        "10x",
        "P",
        "PT",
        "soon",
        "٣٠s",
        "30s\n30s"
      })
  void anything_else_is_refused(String text) {
    assertThatThrownBy(() -> Durations.parse("--ack-wait", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "--ack-wait: '"
                + text
                + "' is no duration; accepted are durations such as 500ms, 30s, 10m, 1h30m, 2d,"
                + " or ISO-8601 (PT30S).");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-PT5S", "PT-5S", "P-1D"})
  void a_negative_duration_is_refused(String text) {
    assertThatThrownBy(() -> Durations.parse("ack wait", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("ack wait: '" + text + "' is negative; accepted are");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "106752d",
        "9223372036854775807ms",
        "9223372036854775808ms",
        "99999999999999999999999999d",
        "106751991167d",
        "PT9223372036854775807S",
        "P106751991167301D"
      })
  void a_duration_that_no_server_can_count_is_refused(String text) {
    assertThatThrownBy(() -> Durations.parse("ack wait", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("ack wait: '" + text + "' is ");
  }

  @Test
  void the_longest_duration_that_servers_can_count_is_accepted() {
    assertThat(Durations.parse("ack wait", "106751d")).isEqualTo(Duration.ofDays(106_751));
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0s",
    "PT0.5S, 500ms",
    "PT1M30S, 1m30s",
    "PT36H, 1d12h",
    "PT0.0000005S, <1ms",
    "PT1.0005S, 1s",
    "PT-1M, -1m"
  })
  void durations_are_shown_as_people_write_them(Duration duration, String expected) {
    assertThat(Durations.format(duration)).isEqualTo(expected);
  }

  @Property
  void what_is_shown_is_read_back(
      @ForAll @LongRange(min = 0, max = 9_000_000_000_000L) long millis) {
    Duration duration = Duration.ofMillis(millis);

    assertThat(Durations.parse("any", Durations.format(duration))).isEqualTo(duration);
  }

  @Property
  void any_text_is_read_or_refused_in_one_sentence(@ForAll String text) {
    try {
      assertThat(Durations.parse("any", text)).isGreaterThanOrEqualTo(Duration.ZERO);
    } catch (IllegalArgumentException refused) {
      assertThat(refused).hasMessageContaining("any: '" + text + "' is ");
    }
  }
}
