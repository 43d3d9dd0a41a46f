package dev.contrail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.policy.RetryPolicy;
import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Copies that a replay published: asked about and recorded apart from all other messages. */
class ReplayedTest {
  private static final WorkerPolicy POLICY =
      WorkerPolicy.defaults(4).withHandlerTimeout(Duration.ofHours(1)).withWindow(8);

  private final SteppedWorker withLedger = SteppedWorker.withLedger(POLICY);
  private final SteppedWorker without = new SteppedWorker(POLICY);

  private static SteppedWorker copies(SteppedWorker it, long... sequences) {
    for (long sequence : sequences) {
      it.port.copies.add(sequence);
    }
    return it;
  }

  @Test
  void a_worker_without_a_ledger_asks_and_records_for_copies_alone() {
    SteppedWorker it = copies(without, 2);
    it.deliver(1, 2);
    it.tick();
    assertThat(it.commands()).containsExactly("run 1#1", "completed? 2#1");
    it.lookedUp();
    it.done(1, 2);
    it.tick();
    assertThat(it.commands()).containsExactly("run 2#1", "ack 1#1", "record 2#1");
    it.recorded();
    assertThat(it.commands()).containsExactly("ack 2#1");
  }

  @Test
  void a_copy_that_is_completed_is_acked_unrun_without_a_ledger_too() {
    SteppedWorker it = copies(without, 1);
    it.deliver(1);
    it.tick();
    it.lookedUp(1);
    assertThat(it.commands()).containsExactly("completed? 1#1", "ack 1#1");
    assertThat(it.status().counts().deduplicated()).isEqualTo(1);
  }

  @Test
  void copies_are_asked_about_one_by_one() {
    SteppedWorker it = copies(withLedger, 2, 4);
    it.deliver(1, 2, 3, 4);
    it.tick();
    assertThat(it.commands())
        .containsExactly("completed? 1#1 3#1", "completed? 2#1", "completed? 4#1");
  }

  @Test
  void a_copy_that_waits_for_another_does_not_keep_that_one_waiting() {
    SteppedWorker it = copies(withLedger, 1, 2);
    it.deliver(1, 2);
    it.tick();
    it.lookUpFails();
    it.lookUpFails();
    it.commands();

    it.passSeconds(1);
    assertThat(it.commands()).as("one tries for all").containsExactly("completed? 1#1");
    // Its answer has to wait for the outcome of the other copy.
    it.lookUpIsHeld();
    it.tick();

    assertThat(it.commands()).containsExactly("completed? 2#1");
    assertThat(it.events()).containsExactly("EVENTS down: ledger away", "EVENTS back");
  }

  @Test
  void a_copy_that_has_to_wait_for_another_is_taken_back_from_the_queue_for_a_thread() {
    SteppedWorker it = copies(withLedger, 1);
    it.port.threadsBusy = true;
    it.deliverUncompleted(1, 1);
    it.passSeconds(4);
    assertThat(it.commands()).containsExactly("completed? 1#1", "run 1#1", "completed? 1#1");
    it.lookUpIsHeld();
    assertThat(it.commands()).containsExactly("recall 1#1");
    assertThat(it.message(1).isAsked()).as("the question is open").isTrue();

    it.passSeconds(60);
    assertThat(it.commands()).as("nobody else asks, nor runs it").isEmpty();
    it.lookedUp();
    assertThat(it.commands()).containsExactly("run 1#1");
  }

  @Test
  void one_that_was_taken_back_is_acked_unrun_when_the_other_is_done() {
    SteppedWorker it = copies(withLedger, 1);
    it.port.threadsBusy = true;
    it.deliverUncompleted(1, 1);
    it.passSeconds(4);
    it.lookUpIsHeld();
    it.commands();
    it.lookedUp(1);
    assertThat(it.commands()).containsExactly("ack 1#1");
    assertThat(it.status().inFlight()).isZero();
  }

  @Test
  void one_that_a_thread_has_begun_with_runs_on_and_is_not_asked_about_any_more() {
    SteppedWorker it = copies(withLedger, 1);
    it.port.threadsBusy = true;
    it.deliverUncompleted(1, 1);
    it.passSeconds(4);
    it.begin(1);
    it.commands();
    it.lookUpIsHeld();
    assertThat(it.message(1).isAsked()).isFalse();

    it.done(1);
    it.tick();
    it.recorded();
    assertThat(it.commands()).containsExactly("record 1#1", "ack 1#1");
  }

  @Test
  void a_suspect_that_has_to_wait_for_another_leaves_it_the_lane() {
    SteppedWorker it = copies(withLedger, 1, 2);
    it.port.threadsBusy = true;
    it.deliverAs(4, 1, 2);
    it.tick();
    it.lookedUp();
    it.lookedUp();
    it.noDeadLetter(1);
    it.noDeadLetter(2);
    it.pauseBeforeTheyBegin();
    it.passSeconds(4);
    it.worker.resume();
    it.tick();
    assertThat(it.commands()).containsExactly("completed? 1#4");
    it.lookUpIsHeld();
    it.tick();

    assertThat(it.commands()).containsExactly("completed? 2#4");
    it.lookedUp();
    it.lookedUp();
    assertThat(it.commands()).containsExactly("run 2#4");
  }

  @Test
  void one_on_its_last_chance_that_has_to_wait_does_not_look_as_if_it_had_begun() {
    SteppedWorker it =
        copies(
            SteppedWorker.withLedger(POLICY.withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(1))),
            1);
    it.port.threadsBusy = true;
    it.deliverUncompleted(1, 1);
    it.noteStored(1);
    it.passSeconds(4);
    assertThat(it.commands()).endsWith("run 1#1", "completed? 1#1");
    it.lookUpIsHeld();
    assertThat(it.commands()).containsExactly("recall 1#1", "note 1#1: ended 1");
    it.noteStored(1);

    it.lookedUp();
    it.noteStored(1);
    assertThat(it.commands()).containsExactly("note 1#1: started-alone 1", "run 1#1");
  }

  @Test
  void copies_whose_answer_has_to_wait_leave_room_for_what_lies_behind_them() {
    SteppedWorker it =
        copies(new SteppedWorker(WorkerPolicy.defaults(1).withWindow(8)), 1, 2, 3, 4);
    it.consumerReady();
    it.tick();
    assertThat(it.port.pulls()).as("as many as such a worker holds").containsExactly(2);
    it.deliver(1, 2);
    it.tick();
    it.lookUpIsHeld();
    it.lookUpIsHeld();
    it.tick();
    assertThat(it.port.pulls()).containsExactly(2);

    it.deliver(3, 4);
    it.tick();
    for (int each = 1; each <= 4; each++) {
      it.lookUpIsHeld();
    }
    it.tick();
    assertThat(it.port.pulls()).as("pulls when half the window waits").isEmpty();

    it.lookedUp(1);
    it.lookedUp(2);
    it.tick();
    assertThat(it.port.pulls()).as("pulls when less do").isNotEmpty();
  }

  @Test
  void while_events_are_down_copies_are_held_and_all_else_goes_on() {
    SteppedWorker it = copies(withLedger, 1, 2);
    it.consumerReady();
    it.deliver(1, 2, 3);
    it.tick();
    it.lookedUp();
    it.lookUpFails();
    it.lookUpFails();
    assertThat(it.events()).containsExactly("EVENTS down: ledger away");
    assertThat(it.status().held()).isEqualTo(2);
    it.commands();
    it.port.pulls();

    it.done(3);
    it.tick();
    it.recorded();
    it.deliverUncompleted(1, 5);
    it.passSeconds(100);

    assertThat(it.commands())
        .contains("record 3#1", "ack 3#1", "run 5#1")
        .noneMatch(command -> command.startsWith("nak"));
    assertThat(it.port.pulls()).as("pulls while copies wait").isNotEmpty();
  }

  @Test
  void they_go_on_by_themselves_when_events_are_back() {
    SteppedWorker it = copies(withLedger, 1, 2);
    it.deliver(1, 2);
    it.tick();
    it.lookUpFails();
    it.lookUpFails();
    it.passSeconds(1);
    it.commands();
    it.events();
    it.lookedUp();
    it.tick();
    it.lookedUp();
    assertThat(it.commands()).containsExactly("run 1#1", "completed? 2#1", "run 2#1");
    assertThat(it.events()).containsExactly("EVENTS back");
  }

  @Test
  void while_the_ledger_is_down_copies_are_still_asked_about() {
    SteppedWorker it = copies(withLedger, 2);
    it.deliver(1);
    it.tick();
    it.lookUpFails();
    it.commands();
    it.deliver(2);
    it.tick();
    it.lookedUp();
    assertThat(it.commands()).containsExactly("completed? 2#1", "run 2#1");
  }

  @Test
  void no_more_than_half_the_window_waits_for_events() {
    SteppedWorker it = copies(without, 1, 2, 3, 4);
    it.consumerReady();
    it.deliver(1, 2, 3, 4);
    it.tick();
    for (int i = 0; i < 4; i++) {
      it.lookUpFails();
    }
    it.port.pulls();
    it.passSeconds(30);
    assertThat(it.port.pulls()).isEmpty();
  }

  @Test
  void a_copy_that_dies_is_asked_about_first() {
    SteppedWorker it = copies(without, 1);
    it.deliver(1);
    it.tick();
    it.lookedUp();
    it.reject(1);
    it.tick();
    assertThat(it.commands()).containsExactly("completed? 1#1", "run 1#1", "completed? 1#1");
    it.lookedUp(1);
    assertThat(it.commands()).as("another worker was done with it").containsExactly("ack 1#1");
  }

  @Test
  void what_is_completed_and_cannot_be_recorded_does_not_keep_a_worker_from_ending() {
    SteppedWorker it = copies(without, 1);
    it.deliver(1);
    it.tick();
    it.lookedUp();
    it.done(1);
    it.tick();
    it.recordingFails();
    it.worker.drain(Duration.ofSeconds(5), it.now());
    it.passSeconds(4);
    assertThat(it.worker.isDrained()).isFalse();
    it.passSeconds(2);
    assertThat(it.worker.isDrained()).isTrue();
    assertThat(it.commands()).noneMatch(command -> command.startsWith("nak"));
  }
}
