package dev.contrail.console.desk;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** For how long one answer is given to all. */
class RememberedTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  private final AtomicInteger asked = new AtomicInteger();
  private final Remembered<Integer> remembered = new Remembered<>(Duration.ofSeconds(1));

  private int get(Instant now) {
    return remembered.get(asked::incrementAndGet, now);
  }

  @Test
  void one_asks_for_all_who_come_within_its_time() {
    assertThat(get(NOW)).isEqualTo(1);
    assertThat(get(NOW.plusMillis(999))).isEqualTo(1);
    assertThat(get(NOW.plusMillis(1_000))).isEqualTo(2);
  }

  @Test
  void what_was_asked_before_a_change_is_not_given_after_it() {
    assertThat(get(NOW)).isEqualTo(1);

    remembered.expire(NOW.plusMillis(10));

    assertThat(get(NOW.plusMillis(20))).isEqualTo(2);
    assertThat(get(NOW.plusMillis(30))).isEqualTo(2);
  }

  @Test
  void an_answer_that_is_on_its_way_at_a_change_is_of_before_it() {
    remembered.get(
        () -> {
          remembered.expire(NOW.plusMillis(10));
          return asked.incrementAndGet();
        },
        NOW);

    assertThat(get(NOW.plusMillis(20))).isEqualTo(2);
  }

  @Test
  void each_question_has_its_own_answer_and_all_are_let_go_at_a_change() {
    RememberedEach<String, Integer> each = new RememberedEach<>(Duration.ofSeconds(1));
    assertThat(each.get("a", asked::incrementAndGet, NOW)).isEqualTo(1);
    assertThat(each.get("b", asked::incrementAndGet, NOW)).isEqualTo(2);
    assertThat(each.get("a", asked::incrementAndGet, NOW)).isEqualTo(1);

    each.expire(NOW.plusMillis(10));

    assertThat(each.get("a", asked::incrementAndGet, NOW.plusMillis(20))).isEqualTo(3);
    assertThat(each.get("b", asked::incrementAndGet, NOW.plusMillis(20))).isEqualTo(4);
  }
}
