package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.engine.WorkerCounts;
import dev.contrail.jetstream.report.WorkerReport.Rates;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PatienceTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  @Test
  void what_fails_is_tried_ever_more_rarely_but_at_least_every_five_minutes() {
    Patience patience = new Patience(Duration.ofSeconds(5), 0);
    assertThat(patience.isDue(0)).isTrue();
    patience.begun(0);
    assertThat(patience.isDue(4 * SECOND)).isFalse();
    assertThat(patience.isDue(5 * SECOND)).isTrue();

    assertThat(patience.failed(0)).as("is new").isTrue();
    assertThat(patience.isDue(9 * SECOND)).isFalse();
    assertThat(patience.isDue(10 * SECOND)).isTrue();
    assertThat(patience.failed(0)).as("is new").isFalse();
    assertThat(patience.isDue(19 * SECOND)).isFalse();
    for (int i = 0; i < 100; i++) {
      patience.failed(0);
    }
    assertThat(patience.isDue(299 * SECOND)).isFalse();
    assertThat(patience.isDue(300 * SECOND)).isTrue();

    assertThat(patience.succeeded()).as("had failed").isTrue();
    assertThat(patience.succeeded()).as("had failed").isFalse();
    assertThat(patience.failed(0)).as("is new again").isTrue();
  }

  @Test
  void rates_are_those_of_the_last_half_minute() {
    RateMeter meter = new RateMeter();
    assertThat(meter.add(counts(0), 0)).isEqualTo(Rates.NONE);
    assertThat(meter.add(counts(50), 5 * SECOND).processed()).isEqualTo(10);
    for (int i = 10; i <= 100; i += 5) {
      meter.add(counts(50), i * SECOND);
    }
    assertThat(meter.add(counts(80), 105 * SECOND).processed()).isEqualTo(1);
  }

  private static WorkerCounts counts(long done) {
    return new WorkerCounts(done, done, 0, 0, 0, 0, 0, 0);
  }
}
