package dev.contrail.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.bench.report.Workload;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoundSizeTest {
  private static final Workload SMALL = new Workload(256, 0);
  private static final Duration SECOND = Duration.ofSeconds(1);

  @ParameterizedTest
  @CsvSource({
    "90000, 100000",
    "79000, 50000",
    "150000, 100000",
    "161000, 200000",
    "5000, 5000",
    "1, 200",
    "3000000, 1000000"
  })
  void a_round_lasts_about_a_second(double perSecond, int messages) {
    assertThat(RoundSize.of(perSecond, SECOND, SMALL, Integer.MAX_VALUE)).isEqualTo(messages);
  }

  @ParameterizedTest
  @CsvSource({"256, 1000, 1000", "256, 999, 500", "256, 50, 50", "4096, 2000000000, 50000"})
  void neither_more_messages_than_wanted_nor_more_bytes_than_fit(
      int bytes, int most, int messages) {
    assertThat(RoundSize.of(1e6, SECOND, new Workload(bytes, 0), most)).isEqualTo(messages);
  }

  @Property
  void no_round_is_much_too_long(@ForAll @DoubleRange(min = 200, max = 1e6) double perSecond) {
    double seconds = RoundSize.of(perSecond, SECOND, SMALL, Integer.MAX_VALUE) / perSecond;

    assertThat(seconds).isBetween(0.49, 1.25);
  }
}
