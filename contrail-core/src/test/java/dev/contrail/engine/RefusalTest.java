package dev.contrail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A dead letter that the store does not take or cannot read holds its own message and no other. */
class RefusalTest {
  private static final int WINDOW = 20;

  private final SteppedWorker it = new SteppedWorker(WorkerPolicy.defaults(4).withWindow(WINDOW));

  @Test
  void a_message_whose_dead_letter_is_refused_is_held_and_the_others_die_at_once() {
    it.deliver(1, 2, 3);
    it.reject(1, 2);
    it.deadLetterRefused(1);
    it.reject(3);
    it.buried(2, 3);

    assertThat(it.commands())
        .containsSubsequence(burial(1), burial(2), burial(3), "term 2#1", "term 3#1")
        .doesNotContain("term 1#1");
    assertThat(it.events()).containsExactly("refused 1#1: newer", "dead 2#1", "dead 3#1");
    assertThat(it.status().held()).isEqualTo(1);
  }

  @Test
  void it_is_tried_again_by_itself_after_1_s_2_s_and_so_on_up_to_30_s() {
    it.deliver(1);
    it.reject(1);
    it.deadLetterRefused(1);
    it.commands();

    for (int wait : new int[] {1, 2, 4, 8, 16, 30, 30, 30}) {
      it.pass(Duration.ofSeconds(wait).minusMillis(1));
      assertThat(it.commands()).as("before %s s", wait).isEmpty();
      it.pass(Duration.ofMillis(1));
      assertThat(it.commands()).as("after %s s", wait).containsExactly(burial(1));
      it.passSeconds(60);
      assertThat(it.commands()).as("while it has no answer").isEmpty();
      assertThat(it.status().held()).as("held while it is tried").isEqualTo(1);
      it.deadLetterRefused(1);
    }
    assertThat(it.events())
        .as("told once, and no lease was lost")
        .containsExactly("refused 1#1: newer");
  }

  @Test
  void each_has_a_wait_of_its_own() {
    it.deliver(1, 2);
    it.reject(1);
    it.deadLetterRefused(1);
    it.passSeconds(1);
    it.deadLetterRefused(1);
    it.reject(2);
    it.deadLetterRefused(2);
    it.commands();

    it.passSeconds(1);
    assertThat(it.commands()).containsExactly(burial(2));
    it.passSeconds(1);
    assertThat(it.commands()).containsExactly(burial(1));
  }

  @Test
  void it_dies_when_the_store_takes_it_after_all() {
    it.deliver(1);
    it.reject(1);
    it.deadLetterRefused(1);
    it.passSeconds(1);
    it.commands();

    it.buried(1);

    assertThat(it.commands()).containsExactly("term 1#1");
    assertThat(it.status().held()).isZero();
    it.pass(Duration.ofMinutes(5));
    assertThat(it.commands()).as("once it is over").isEmpty();
  }

  @Test
  void a_look_up_that_is_refused_is_repeated_and_the_message_does_not_run_before() {
    it.deliverAs(2, 1, 2);
    it.deadLetterRefused(1);
    it.noDeadLetter(2);
    assertThat(it.commands()).containsExactly("look up 1#2", "look up 2#2", "run 2#2");
    assertThat(it.events()).containsExactly("refused 1#2: newer");

    it.passSeconds(1);
    assertThat(it.commands()).containsExactly("look up 1#2");
    it.noDeadLetter(1);

    assertThat(it.commands()).containsExactly("run 1#2");
    assertThat(it.status().held()).isZero();
  }

  @Test
  void those_held_make_room_for_others_up_to_half_the_window() {
    it.consumerReady();
    it.tick();
    it.port.pulls();
    for (long sequence = 1; sequence < WINDOW / 2; sequence++) {
      holdRefused(sequence);
    }
    assertThat(pullsAnew()).as("9 wait").isNotEmpty();

    holdRefused(WINDOW / 2);
    assertThat(pullsAnew()).as("10 wait").isEmpty();
    it.passSeconds(1);
    assertThat(pullsAnew()).as("while they are tried").isEmpty();
  }

  private void holdRefused(long sequence) {
    it.deliver(sequence);
    it.reject(sequence);
    it.deadLetterRefused(sequence);
  }

  private List<Integer> pullsAnew() {
    it.worker.pullEnded(it.port.lastPull(), it.now());
    it.port.pulls();
    it.tick();
    return it.port.pulls();
  }

  @Test
  void a_refusal_does_not_tell_that_a_store_that_is_down_is_back() {
    it.deliver(1, 2, 3);
    it.reject(1, 2, 3);
    it.deadLettersFail(1, 2, 3);
    it.passSeconds(1);
    it.commands();
    it.events();

    it.deadLetterRefused(1);
    assertThat(it.commands()).as("none is released").isEmpty();
    assertThat(it.events()).containsExactly("refused 1#1: newer");

    it.tick();
    assertThat(it.commands()).as("another is tried in its place").containsExactly(burial(2));
    it.buried(2);
    assertThat(it.commands()).containsExactly(burial(3), "term 2#1");
    assertThat(it.events()).containsExactly("DEAD_LETTERS back", "dead 2#1");
  }

  @Test
  void one_that_finds_the_store_down_waits_with_the_others_and_finds_it_back() {
    it.deliver(1);
    it.reject(1);
    it.deadLetterRefused(1);
    it.passSeconds(1);
    it.deadLettersFail(1);
    it.commands();
    assertThat(it.events()).containsExactly("refused 1#1: newer", "DEAD_LETTERS down: full");
    assertThat(it.status().held()).isEqualTo(1);

    it.passSeconds(1);
    assertThat(it.commands()).containsExactly(burial(1));
    it.buried(1);
    assertThat(it.commands()).containsExactly("term 1#1");
    assertThat(it.events()).containsExactly("DEAD_LETTERS back", "dead 1#1");
  }

  @Test
  void a_store_that_was_down_when_its_only_customer_was_refused_serves_the_next_one() {
    it.deliver(1, 2);
    it.reject(1);
    it.deadLettersFail(1);
    it.passSeconds(1);
    it.deadLetterRefused(1);
    it.commands();

    it.reject(2);
    it.tick();
    assertThat(it.commands()).containsExactly(burial(2));
  }

  @Test
  void one_whose_lease_is_lost_is_not_tried_any_more() {
    it.extensionsArrive = false;
    it.deliver(1);
    it.reject(1);
    it.deadLetterRefused(1);
    it.pass(SteppedWorker.ACK_WAIT.plusMillis(1));
    it.commands();
    assertThat(it.events()).contains("lease lost 1#1");

    it.pass(Duration.ofMinutes(1));
    assertThat(it.commands()).isEmpty();
    assertThat(it.status().held()).isZero();
  }

  @Test
  void one_that_is_refused_to_the_end_of_a_drain_is_returned() {
    it.deliver(1);
    it.reject(1);
    it.deadLetterRefused(1);
    it.commands();

    Duration timeout = Duration.ofMillis(500);
    it.worker.drain(timeout, it.now());
    it.pass(timeout);

    assertThat(it.commands()).containsExactly("nak 1#1");
    assertThat(it.worker.isDrained()).isTrue();
  }

  private static String burial(long sequence) {
    return "bury " + sequence + "#1: rejected, unwanted " + sequence;
  }
}
