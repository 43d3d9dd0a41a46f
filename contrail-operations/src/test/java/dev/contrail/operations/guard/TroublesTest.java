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

  /** While a leader is chosen nobody answers, and each says which message that was about. */
  @Test
  void what_differs_in_numbers_alone_is_one_cause() {
    assertThat(troubles.add("Message 1: …", "no answer to dlq.ORDERS.worker.i.1", 0)).isTrue();
    assertThat(troubles.add("Message 22: …", "no answer to dlq.ORDERS.worker.i.22", 1)).isFalse();
    assertThat(troubles.add("Message 1: …", "no answer to dlq.JOBS.worker.i.1", 2)).isTrue();
  }

  @Test
  void what_failed_no_more_for_a_while_is_over_and_would_be_news_again() {
    troubles.add("Message 1: full", "full", 0);
    assertThat(troubles.now(MINUTE)).isPresent();
    assertThat(troubles.now(2 * MINUTE)).isEmpty();
    assertThat(troubles.add("Message 1: full", "full", 2 * MINUTE)).isTrue();
  }

  @Test
  void what_fails_for_ever_does_not_keep_others_from_being_news() {
    troubles.add("Message 1: full", "full", 0);
    for (int i = 1; i < 10; i++) {
      troubles.add("Message 2: poison", "poison", i * MINUTE);
    }
    assertThat(troubles.add("Message 3: full", "full", 10 * MINUTE)).isTrue();
    assertThat(troubles.add("Message 2: poison", "poison", 10 * MINUTE)).isFalse();
  }

  @Test
  void however_many_causes_there_were_a_new_one_is_news_later() {
    for (int i = 0; i < 1_000; i++) {
      troubles.add("c", "cause " + "x".repeat(i), 0);
    }
    assertThat(troubles.add("c", "another", 2 * MINUTE)).isTrue();
  }

  @Test
  void at_the_beginning_nothing_fails() {
    assertThat(troubles.now(0)).isEmpty();
  }
}
