package dev.contrail.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HistoryTest {
  private final History history = new History();

  @Test
  void while_a_record_is_under_way_either_answer_is_right() {
    history.recordBegan(1, 10);
    history.lookedUp(1, true, 11, 12);
    history.recordConfirmed(1, 20);
    history.lookedUp(1, false, 9, 15);
    history.lookedUp(1, true, 5, 11);
    assertThat(history.violations()).isEmpty();
  }

  @Test
  void not_completed_after_the_record_was_confirmed_is_wrong() {
    history.recordBegan(1, 10);
    history.recordConfirmed(1, 20);
    history.lookedUp(1, false, 1_021_000, 1_030_000);
    assertThat(history.violations())
        .containsExactly("message 1 was not completed 1020 µs after it was known to be");
  }

  @Test
  void not_completed_after_somebody_saw_it_completed_is_wrong() {
    history.recordBegan(1, 10);
    history.lookedUp(1, true, 11, 12);
    history.lookedUp(1, false, 13, 14);
    assertThat(history.violations()).hasSize(1);
  }

  @Test
  void completed_before_anyone_recorded_it_is_wrong() {
    history.lookedUp(1, true, 5, 9);
    history.recordBegan(1, 10);
    assertThat(history.violations())
        .containsExactly("message 1 was completed before anyone recorded it");
  }

  @Test
  void messages_do_not_get_mixed_up() {
    history.recordBegan(1, 10);
    history.recordConfirmed(1, 20);
    history.lookedUp(2, false, 30, 40);
    assertThat(history.violations()).isEmpty();
  }
}
