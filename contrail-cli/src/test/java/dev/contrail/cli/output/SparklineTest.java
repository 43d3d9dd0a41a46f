package dev.contrail.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SparklineTest {
  @Test
  void the_largest_is_a_full_block_and_a_few_are_more_than_none() {
    assertThat(Sparkline.of(List.of(0, 1, 2))).isEqualTo("·▄█");
    assertThat(Sparkline.of(List.of(1_000_000, 1, 0))).isEqualTo("█▁·");
    assertThat(Sparkline.of(List.of(0, 0))).isEqualTo("··");
    assertThat(Sparkline.of(List.of(1, 2, 3, 4, 5, 6, 7, 8))).isEqualTo("▁▂▃▄▅▆▇█");
  }
}
