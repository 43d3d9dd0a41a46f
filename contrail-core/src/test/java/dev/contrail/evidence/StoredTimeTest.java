package dev.contrail.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredTimeTest {
  @Property
  void what_is_written_is_read_back(
      @ForAll @LongRange(min = -100_000_000_000L, max = 400_000_000_000L) long second,
      @ForAll @IntRange(max = 999_999_999) int nano) {
    Instant any = Instant.ofEpochSecond(second, nano);
    assertThat(StoredTime.parse(any.toString())).isEqualTo(any);
    Instant millis = Instant.ofEpochSecond(second, nano / 1_000_000 * 1_000_000L);
    assertThat(StoredTime.parse(millis.toString())).isEqualTo(millis);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-03-01T10:00:00Z",
        "2024-02-29T23:59:59.5Z",
        "2026-03-01T10:00:00.000000001Z",
        "2026-03-01T10:00:00.Z",
        "2026-03-01T24:00:00Z",
        "2016-12-31T23:59:60Z",
        "+12026-03-01T10:00:00Z",
        "-0001-03-01T10:00:00Z",
        "2026-03-01t10:00:00z"
      })
  void it_is_read_as_the_library_reads_it(String text) {
    assertThat(StoredTime.parse(text)).isEqualTo(Instant.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Z",
        "yesterday",
        "2026-03-01T10:00:00",
        "2026-02-29T10:00:00Z",
        "2026-13-01T10:00:00Z",
        "2026-03-01T25:00:00Z",
        "2026-03-01T10:60:00Z",
        "2026-03-01T10:00:61Z",
        "2026-03-01 10:00:00Z",
        "2026-03-01T10:00:00.0000000001Z",
        "2026-03-01T10:00:00.1x3Z",
        "2026-03-01T10:00:00Z "
      })
  void what_is_no_time_is_refused_as_the_library_does(String text) {
    assertThatThrownBy(() -> Instant.parse(text)).isInstanceOf(DateTimeException.class);
    assertThatThrownBy(() -> StoredTime.parse(text)).isInstanceOf(DateTimeException.class);
  }
}
