package dev.contrail.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class MomentTest {
  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void whichever_clock_says_more_is_believed() {
    Moment now = Moment.now();
    assertThat(now.elapsed()).isLessThan(HOUR);
    assertThat(now.minus(HOUR).elapsed()).isGreaterThanOrEqualTo(HOUR);
    // The machine slept, and one clock with it.
    assertThat(new Moment(now.nanos(), now.millis() - HOUR.toMillis(), now.clocks()).elapsed())
        .isGreaterThanOrEqualTo(HOUR);
    // The other was set back.
    assertThat(new Moment(now.nanos() - HOUR.toNanos(), now.millis(), now.clocks()).elapsed())
        .isGreaterThanOrEqualTo(HOUR);
  }
}
