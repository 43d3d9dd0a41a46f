package dev.contrail.console.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When open pages are told of changes. */
class PaceTest {
  private final Pace pace = new Pace();

  private List<Boolean> told(int pages, long... changes) {
    return IntStream.range(0, changes.length)
        .mapToObj(look -> pace.isTime(changes[look], pages))
        .toList();
  }

  @Test
  void a_few_are_told_of_each_change_at_once_and_of_nothing_else() {
    assertThat(told(3, 1, 2, 2, 2, 3)).containsExactly(true, true, false, false, true);
  }

  @Test
  void many_are_told_less_often() {
    assertThat(told(50, 1, 2, 3, 4, 5, 6)).containsExactly(false, false, true, false, false, true);
  }

  @Test
  void a_change_that_was_not_told_of_at_once_is_told_of_later() {
    assertThat(told(50, 1, 1, 1, 2, 2, 2, 2))
        .containsExactly(false, false, true, false, false, true, false);
  }

  @Test
  void after_a_quiet_time_many_are_told_at_once_too() {
    assertThat(told(50, 1, 1, 1, 1, 1, 1, 2)).endsWith(false, false, false, true);
  }
}
