package dev.contrail.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkTest {
  private static final byte[] PAYLOAD = {};

  @Test
  void is_done_when_the_last_message_was_handled() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    Work work = new Work(3, 0, payload -> calls.incrementAndGet());
    for (int i = 0; i < 3; i++) {
      work.handle(PAYLOAD);
    }

    work.await(Duration.ofMinutes(1));

    assertThat(calls).hasValue(3);
  }

  @Test
  void one_too_few_is_told_with_both_numbers() throws Exception {
    Work work = Work.counting(3, 0);
    work.handle(PAYLOAD);
    work.handle(PAYLOAD);

    assertThatThrownBy(() -> work.await(Duration.ZERO))
        .isInstanceOf(BenchException.class)
        .hasMessage("2 of 3 messages were handled, and then none for PT0S");
  }

  @Test
  void a_failure_beside_the_handler_ends_the_wait() {
    Work work = Work.counting(3, 0);
    work.failed(new IllegalStateException("Redis is away"));

    assertThatThrownBy(() -> work.await(Duration.ofMinutes(1)))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("Redis is away");
  }

  @Test
  void the_clock_begins_when_a_tenth_was_handled() throws Exception {
    Work work = Work.counting(100, 0);
    for (int i = 0; i < 9; i++) {
      work.handle(PAYLOAD);
    }
    long before = System.nanoTime();
    work.handle(PAYLOAD);
    long after = System.nanoTime();

    long second = Duration.ofSeconds(1).toNanos();
    assertThat(work.perSecond(before + second)).isGreaterThanOrEqualTo(90);
    assertThat(work.perSecond(after + second)).isLessThanOrEqualTo(90 + 1e-6);
    assertThat(work.perSecond(after + 10_000 * second)).isCloseTo(0.009, within(0.0001));
  }
}
