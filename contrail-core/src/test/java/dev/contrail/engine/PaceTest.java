package dev.contrail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PaceTest {
  private final Pace pace = new Pace(4, 1_000);
  private long nanos = -3_600_000_000_000L;

  private void pass(Duration time, int settled) {
    nanos += time.toNanos();
    for (int i = 0; i < settled; i++) {
      pace.settled();
    }
    pace.tick(new Now(nanos, 0));
  }

  private void settle(int perTick, Duration tick, Duration time) {
    pass(Duration.ZERO, 0);
    for (long i = 0; i < time.dividedBy(tick); i++) {
      pass(tick, perTick);
    }
  }

  @Test
  void it_begins_with_twice_the_concurrency() {
    assertThat(pace.target()).isEqualTo(8);
  }

  @Test
  void it_begins_with_the_window_where_that_is_smaller() {
    assertThat(new Pace(4, 5).target()).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 50, 100, 250, 500})
  void it_is_what_is_settled_in_a_second_however_often_it_is_asked(int tickMillis) {
    settle(tickMillis * 3 / 10, Duration.ofMillis(tickMillis), Duration.ofSeconds(3));
    if (tickMillis >= 10) {
      assertThat(pace.target()).isEqualTo(300);
    } else {
      assertThat(pace.target()).as("nothing was settled").isEqualTo(8);
    }
  }

  @Test
  void it_grows_as_soon_as_more_is_settled() {
    settle(10, Duration.ofMillis(50), Duration.ofSeconds(1));
    assertThat(pace.target()).isEqualTo(200);

    pass(Duration.ofMillis(50), 20);
    assertThat(pace.target()).isEqualTo(400);
  }

  @Test
  void it_shrinks_slowly_when_less_is_settled() {
    settle(40, Duration.ofMillis(50), Duration.ofSeconds(1));
    assertThat(pace.target()).isEqualTo(800);

    pass(Duration.ofMillis(50), 0);
    assertThat(pace.target()).isEqualTo(720);
    settle(0, Duration.ofMillis(50), Duration.ofSeconds(3));
    assertThat(pace.target()).isEqualTo(8);
  }

  @Test
  void a_long_time_without_a_tick_counts_as_long_as_it_was() {
    settle(40, Duration.ofMillis(50), Duration.ofSeconds(1));
    pass(Duration.ofSeconds(10), 10);

    assertThat(pace.target()).isEqualTo(8);
  }

  @Test
  void it_never_exceeds_the_window() {
    settle(10_000, Duration.ofMillis(50), Duration.ofSeconds(1));

    assertThat(pace.target()).isEqualTo(1_000);
  }
}
