package dev.contrail.operations.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TroublesTest {
  private static final long MINUTE = Duration.ofMinutes(1).toNanos();

  private final Troubles troubles = new Troubles();

  @Test
  void a_cause_is_news_once_whatever_it_keeps_from_being_done() {
    assertThat(troubles.add("Message 1: full", "full", 0)).isTrue();
    assertThat(troubles.add("Message 2: full", "full", MINUTE)).isFalse();
    assertThat(troubles.add("Message 2: away", "away", MINUTE)).isTrue();
    assertThat(troubles.now(MINUTE)).contains("Message 2: away");
  }

  @Test
  void what_failed_no_more_for_a_while_is_over_and_would_be_news_again() {
    troubles.add("Message 1: full", "full", 0);
    assertThat(troubles.now(MINUTE)).isPresent();
    assertThat(troubles.now(2 * MINUTE)).isEmpty();
    assertThat(troubles.add("Message 1: full", "full", 2 * MINUTE)).isTrue();
  }

  @Test
  void at_the_beginning_nothing_fails() {
    assertThat(troubles.now(0)).isEmpty();
  }
}
