package dev.contrail.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SpreadTest {
  @Test
  void the_median_of_an_odd_number_is_the_one_in_the_middle() {
    assertThat(Spread.of(List.of(30.0, 10.0, 20.0, 100.0, 15.0)))
        .isEqualTo(new Spread(20, 10, 100));
  }

  @Test
  void the_median_of_an_even_number_is_between_the_two_in_the_middle() {
    assertThat(Spread.of(List.of(4.0, 1.0, 3.0, 2.0))).isEqualTo(new Spread(2.5, 1, 4));
  }

  @Test
  void one_measurement_is_its_own_spread() {
    assertThat(Spread.of(List.of(7.0))).isEqualTo(new Spread(7, 7, 7));
  }

  @Test
  void nothing_measured_is_refused() {
    assertThatThrownBy(() -> Spread.of(List.of())).hasMessage("nothing was measured");
  }

  @Test
  void ratios_are_taken_round_by_round() {
    // Each round is half as fast as the one before, for both: the ratio stays what it is.
    List<Double> bare = List.of(100.0, 50.0, 25.0);
    List<Double> other = List.of(90.0, 45.0, 22.5);

    assertThat(Spread.ofRatios(other, bare)).isEqualTo(new Spread(0.9, 0.9, 0.9));
  }

  @Test
  void rounds_without_a_counterpart_are_refused() {
    assertThatThrownBy(() -> Spread.ofRatios(List.of(1.0, 2.0), List.of(1.0)))
        .hasMessage("2 rounds cannot be compared with 1");
  }

  @Test
  void rounding_leaves_so_many_decimals() {
    assertThat(new Spread(0.93456, 0.1, 1.99999).rounded(3)).isEqualTo(new Spread(0.935, 0.1, 2.0));
  }

  @Property
  void the_order_of_measurements_tells_nothing(
      @ForAll @Size(min = 1, max = 30) List<@DoubleRange(min = 0, max = 1e6) Double> values,
      @ForAll Random random) {
    List<Double> shuffled = new ArrayList<>(values);
    Collections.shuffle(shuffled, random);

    Spread spread = Spread.of(values);

    assertThat(Spread.of(shuffled)).isEqualTo(spread);
    assertThat(spread.median()).isBetween(spread.low(), spread.high());
    long below = values.stream().filter(value -> value < spread.median()).count();
    assertThat((double) below).isLessThanOrEqualTo(values.size() / 2.0);
  }

  @Property
  void something_compared_with_itself_is_one(
      @ForAll @Size(min = 1, max = 30) List<@DoubleRange(min = 0.01, max = 1e6) Double> values) {
    assertThat(Spread.ofRatios(values, values).median()).isCloseTo(1, within(1e-12));
  }
}
