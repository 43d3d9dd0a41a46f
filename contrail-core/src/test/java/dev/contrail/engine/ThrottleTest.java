package dev.contrail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.policy.RetryPolicy;
import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Only so much is asked of a store at once; what has to wait is asked in its order. */
class ThrottleTest {
  private static final int MOST = 16;
  private static final int MOST_NOTES = 64;
  private static final int MEGABYTE = 1 << 20;

  private SteppedWorker it = new SteppedWorker(WorkerPolicy.defaults(4));

  private static long[] sequences(long from, long to) {
    return LongStream.rangeClosed(from, to).toArray();
  }

  /** Of which messages the dead letters were to be written since the last call. */
  private List<Long> burials() {
    return asked("bury");
  }

  private List<Long> asked(String what) {
    return it.commands().stream()
        .filter(command -> command.startsWith(what + " "))
        .map(command -> Long.parseLong(command.replaceAll("[^#0-9]*(\\d+)#.*", "$1")))
        .toList();
  }

  private void die(long... sequences) {
    for (long sequence : sequences) {
      it.deliver(sequence);
      it.reject(sequence);
    }
  }

  @Test
  void sixteen_dead_letters_are_written_at_once_and_the_next_as_each_is_confirmed() {
    die(sequences(1, 40));
    assertThat(burials()).containsExactly(boxed(1, MOST));

    it.buried(3);
    assertThat(burials()).containsExactly(17L);
    it.buried(1, 2);
    assertThat(burials()).containsExactly(18L, 19L);
  }

  @Test
  void those_that_merely_wait_for_their_turn_do_not_count_as_held() {
    die(sequences(1, 40));
    assertThat(it.status().held()).isZero();

    it.buried(sequences(1, 40));
    assertThat(it.status().held()).isZero();
    assertThat(it.status().counts().dead()).isEqualTo(40);
  }

  @Test
  void dead_letters_of_four_megabytes_in_all_are_written_at_once() {
    it.deliverSized(MEGABYTE, 1, 2, 3, 4, 5, 6);
    it.reject(1, 2, 3, 4, 5, 6);
    assertThat(burials()).containsExactly(1L, 2L, 3L, 4L);

    it.buried(2);
    assertThat(burials()).containsExactly(5L);
  }

  @Test
  void a_dead_letter_of_more_than_that_is_written_when_no_other_is() {
    it.deliverSized(5 * MEGABYTE, 1, 2);
    it.deliverSized(10, 3);
    it.reject(1, 2, 3);
    assertThat(burials()).containsExactly(1L);

    it.buried(1);
    assertThat(burials()).containsExactly(2L);
    it.buried(2);
    assertThat(burials()).containsExactly(3L);
  }

  @Test
  void a_store_that_comes_back_is_not_flooded() {
    die(sequences(1, 100));
    it.deadLettersFail(sequences(1, MOST));
    assertThat(it.status().held()).isEqualTo(100);
    it.commands();
    it.passSeconds(1);
    assertThat(burials()).as("one that has not failed yet is tried first").containsExactly(17L);

    it.buried(17);

    assertThat(burials()).containsExactly(boxed(18, 17 + MOST));
    assertThat(it.status().held()).as("once the store is back").isZero();
    it.buried(18);
    assertThat(burials()).containsExactly(34L);
  }

  @Test
  void a_store_that_goes_down_is_not_asked_for_those_that_wait_for_their_turn() {
    die(sequences(1, 40));
    it.commands();

    it.deadLettersFail(sequences(1, MOST));
    assertThat(burials()).isEmpty();
    it.passSeconds(1);
    assertThat(burials()).hasSize(1);
  }

  @Test
  void the_probe_of_a_store_does_not_wait_for_answers_that_are_long_in_coming() {
    die(sequences(1, 40));
    it.deadLettersFail(1);
    it.commands();

    it.passSeconds(1);
    assertThat(burials()).as("15 are under way").hasSize(1);
  }

  @Test
  void one_that_is_lost_while_it_waits_is_passed_over() {
    die(sequences(1, MOST));
    it.extensionsArrive = false;
    die(99);
    it.pass(SteppedWorker.ACK_WAIT.multipliedBy(2));
    assertThat(it.status().inFlight()).isZero();
    it.extensionsArrive = true;
    die(100);
    it.commands();

    it.buried(sequences(1, MOST));
    assertThat(burials()).containsExactly(100L);
  }

  @Test
  void the_late_answer_for_one_that_is_lost_makes_room() {
    it.extensionsArrive = false;
    die(sequences(1, MOST));
    List<InFlight<String>> lost = LongStream.rangeClosed(1, MOST).mapToObj(it::message).toList();
    it.pass(SteppedWorker.ACK_WAIT.multipliedBy(2));
    it.extensionsArrive = true;
    it.commands();
    die(101, 102, 103);
    assertThat(burials()).isEmpty();

    it.buried(lost.get(0));
    assertThat(burials()).containsExactly(101L);
    it.worker.storeFailed(
        StoreKind.DEAD_LETTERS, lost.get(1), new IllegalStateException("slow"), it.now());
    assertThat(burials()).containsExactly(102L);
    it.worker.deadLetterRefused(lost.get(2), new IllegalStateException("newer"), it.now());
    assertThat(burials()).containsExactly(103L);
  }

  @Test
  void one_that_is_refused_makes_room() {
    die(sequences(1, 17));
    it.commands();

    it.deadLetterRefused(5);
    assertThat(burials()).containsExactly(17L);
  }

  @Test
  void those_that_were_refused_are_tried_again_a_few_at_a_time() {
    die(sequences(1, 10));
    it.deadLetterRefused(sequences(1, 10));
    it.commands();

    it.passSeconds(1);
    assertThat(burials()).containsExactly(1L, 2L, 3L, 4L);
    it.deadLetterRefused(2);
    it.tick();
    assertThat(burials()).containsExactly(5L);
  }

  @Test
  void sixteen_are_looked_up_at_once_and_a_failure_makes_room_too() {
    it.deliverAs(2, sequences(1, 40));
    assertThat(asked("look up")).containsExactly(boxed(1, MOST));

    it.noDeadLetter(1);
    assertThat(asked("look up")).containsExactly(17L);
    it.deadLetterRefused(2);
    assertThat(asked("look up")).containsExactly(18L);
  }

  @Test
  void a_look_up_that_fails_after_its_message_was_lost_makes_room() {
    it.extensionsArrive = false;
    it.deliverAs(2, sequences(1, MOST));
    InFlight<String> lost = it.message(1);
    it.pass(SteppedWorker.ACK_WAIT.multipliedBy(2));
    it.extensionsArrive = true;
    it.deliverAs(2, 99);
    it.commands();

    it.worker.storeFailed(
        StoreKind.DEAD_LETTERS, lost, new IllegalStateException("slow"), it.now());

    assertThat(asked("look up")).containsExactly(99L);
  }

  @Test
  void sixty_four_notes_are_read_at_once() {
    it = new SteppedWorker(limit(2));
    it.deliverAs(3, sequences(1, 70));
    assertThat(asked("read note")).containsExactly(boxed(1, MOST_NOTES));

    it.noNote(1);
    assertThat(asked("read note")).containsExactly(65L);
  }

  @Test
  void a_note_that_waits_for_its_turn_says_what_is_true_when_it_comes() {
    it = new SteppedWorker(limit(1).withConcurrency(100));
    widenTheLaneOfSuspects();
    it.deliver(sequences(1, MOST_NOTES + 1));
    assertThat(asked("note")).containsExactly(boxed(1, MOST_NOTES));

    it.worker.drain(Duration.ofSeconds(1), it.now());
    it.passSeconds(1);
    it.commands();
    it.noteStored(1);

    assertThat(it.commands()).containsExactly("note 65#1: ended 1");
  }

  private void widenTheLaneOfSuspects() {
    for (long sequence = 1_001; sequence <= 1_007; sequence++) {
      it.deliver(sequence);
      it.noteStored(sequence);
      it.done(sequence);
      it.noteStored(sequence);
    }
    it.commands();
  }

  private static WorkerPolicy limit(long limit) {
    return WorkerPolicy.defaults(4).withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(limit));
  }

  private static Long[] boxed(long from, long to) {
    return LongStream.rangeClosed(from, to).boxed().toArray(Long[]::new);
  }
}
