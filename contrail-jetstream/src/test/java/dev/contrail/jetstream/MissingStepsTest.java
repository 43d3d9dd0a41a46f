package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.event.EventAddress;
import dev.contrail.evidence.DeadLetterId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MissingStepsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final MissingSteps missing = new MissingSteps();

  /** Close to where the clock overflows. */
  private long nanos = Long.MAX_VALUE - Duration.ofSeconds(10).toNanos();

  private static EventAddress step(long sequence) {
    return EventAddress.step(new DeadLetterId("ORDERS", "billing", "1x", sequence), 1);
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  private boolean isMissing(long sequence) {
    return missing.isMissing(step(sequence), nanos);
  }

  /** Asks once a second, as those who hold a message do, until it is missing. */
  private Duration heldFor(long sequence) {
    Duration held = Duration.ZERO;
    while (!isMissing(sequence)) {
      pass(SECOND);
      held = held.plus(SECOND);
    }
    return held;
  }

  @Test
  void a_step_is_missing_when_it_was_not_found_for_as_long_as_a_server_may_lag() {
    assertThat(heldFor(1)).isEqualTo(MissingSteps.LONGEST_LAG);
    assertThat(isMissing(1)).as("for the next message").isTrue();
    assertThat(isMissing(2)).as("another step").isFalse();
  }

  @Test
  void the_time_counts_anew_when_nobody_asked_for_long() {
    assertThat(isMissing(1)).isFalse();
    pass(MissingSteps.ASKED_WITHIN);
    assertThat(heldFor(1)).isEqualTo(MissingSteps.LONGEST_LAG);
  }

  @Test
  void those_who_ask_less_and_less_often_are_told_too() {
    assertThat(isMissing(1)).isFalse();
    pass(Duration.ofSeconds(30));
    assertThat(isMissing(1)).isTrue();
  }

  @Test
  void the_time_counts_anew_after_it_was_found_or_nobody_could_be_asked() {
    assertThat(isMissing(1)).isFalse();
    pass(MissingSteps.LONGEST_LAG.minus(SECOND));
    missing.forget(step(1));
    assertThat(heldFor(1)).isEqualTo(MissingSteps.LONGEST_LAG);
  }

  @Test
  void that_it_is_missing_is_not_relied_on_for_ever_for_it_may_be_decided_on_later() {
    heldFor(1);
    pass(MissingSteps.REMEMBERED.minus(MissingSteps.LONGEST_LAG).minus(SECOND));
    assertThat(isMissing(1)).isTrue();
    pass(SECOND);
    assertThat(heldFor(1)).isEqualTo(MissingSteps.LONGEST_LAG);
  }

  @Test
  void those_who_ask_for_more_than_are_kept_are_all_told_in_the_end() {
    int all = 2 * MissingSteps.MOST + 1;
    boolean[] known = new boolean[all];
    int left = all;
    Duration longest = MissingSteps.LONGEST_LAG.multipliedBy(4);
    for (Duration held = Duration.ZERO; left > 0; held = held.plus(SECOND)) {
      assertThat(held).as("held while %s are not known", left).isLessThan(longest);
      for (int i = 0; i < all; i++) {
        if (!known[i] && isMissing(i + 1)) {
          known[i] = true;
          left--;
        }
      }
      pass(SECOND);
    }
  }

  @Test
  void only_so_many_are_kept() {
    for (int i = 1; i <= MissingSteps.MOST; i++) {
      assertThat(isMissing(i)).isFalse();
    }
    pass(MissingSteps.ASKED_WITHIN);
    assertThat(heldFor(MissingSteps.MOST + 1)).isEqualTo(MissingSteps.LONGEST_LAG);
    assertThat(missing.size()).isEqualTo(MissingSteps.MOST);
  }
}
