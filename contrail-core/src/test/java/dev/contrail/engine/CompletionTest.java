package dev.contrail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.policy.BreakerPolicy;
import dev.contrail.policy.RetryPolicy;
import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** With a ledger: looked up before it is run, recorded before it is acked. */
class CompletionTest {
  private static final WorkerPolicy POLICY =
      WorkerPolicy.defaults(4).withHandlerTimeout(Duration.ofHours(1));
  private static final WorkerPolicy ONE_CHANCE =
      POLICY.withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(1));

  private SteppedWorker it = SteppedWorker.withLedger(POLICY);

  private void loseLeases() {
    it.extensionsArrive = false;
    it.pass(SteppedWorker.ACK_WAIT.plusSeconds(10));
    it.extensionsArrive = true;
  }

  @Test
  void every_delivery_is_looked_up_even_the_first() {
    it.deliver(1);
    it.tick();

    assertThat(it.commands()).containsExactly("completed? 1#1");
    it.lookedUp();
    assertThat(it.commands()).containsExactly("run 1#1");
  }

  @Test
  void all_that_arrived_within_a_cycle_is_asked_at_once() {
    it.deliver(1, 2, 3);
    it.tick();
    assertThat(it.commands()).containsExactly("completed? 1#1 2#1 3#1");
  }

  @Test
  void what_is_done_is_recorded_and_acked_only_then() {
    it.deliverUncompleted(1, 1, 2, 3);
    it.commands();
    it.done(1, 2);
    it.tick();
    assertThat(it.commands()).containsExactly("record 1#1 2#1");

    it.recorded();
    assertThat(it.commands()).containsExactly("ack 1#1", "ack 2#1");
    assertThat(it.status().counts().done()).isEqualTo(2);
  }

  @Test
  void what_is_completed_is_acked_unrun_and_counted() {
    it.deliver(1, 2, 3);
    it.tick();
    it.commands();
    it.lookedUp(1, 3);

    assertThat(it.commands()).containsExactly("ack 1#1", "ack 3#1", "run 2#1");
    assertThat(it.status().counts().deduplicated()).isEqualTo(2);
    assertThat(it.status().counts().done()).isZero();
  }

  @Test
  void a_failure_is_not_recorded() {
    it.deliverUncompleted(1, 1);
    it.fail(1);
    it.passSeconds(5);
    assertThat(it.commands())
        .containsExactly("completed? 1#1", "run 1#1", "nak 1#1 in 500ms")
        .doesNotContain("record 1#1");
  }

  @Test
  void it_runs_only_when_all_is_known_of_it_whatever_is_known_first() {
    it.deliverAs(2, 1, 2);
    it.tick();
    it.noDeadLetter(1);
    assertThat(it.commands())
        .containsExactlyInAnyOrder("look up 1#2", "look up 2#2", "completed? 1#2 2#2");
    it.lookedUp();
    assertThat(it.commands()).containsExactly("run 1#2");
    it.noDeadLetter(2);
    assertThat(it.commands()).containsExactly("run 2#2");
  }

  @Test
  void what_is_completed_is_acked_although_its_other_questions_are_open() {
    it.deliverAs(2, 1);
    it.tick();
    it.commands();
    it.lookedUp(1);
    assertThat(it.commands()).containsExactly("ack 1#2");

    it.noDeadLetter(1);
    assertThat(it.commands()).isEmpty();
  }

  @Test
  void an_answer_that_comes_after_the_lease_is_lost_starts_nothing() {
    it.deliver(1);
    it.tick();
    loseLeases();
    it.commands();
    it.lookedUp();
    assertThat(it.commands()).isEmpty();
    assertThat(it.status().inFlight()).isZero();
  }

  @Test
  void a_message_delivered_anew_while_it_waits_is_looked_up_anew() {
    it.deliver(2);
    it.tick();
    it.commands();

    it.deliverAs(2, 2);
    it.tick();
    assertThat(it.commands()).contains("completed? 2#2");
    it.lookedUp();
    it.noDeadLetter(2);
    assertThat(it.commands()).as("what was found out before").isEmpty();
    it.lookedUp(2);
    assertThat(it.commands())
        .as("whoever held it before has completed it")
        .containsExactly("ack 2#2");
    assertThat(it.status().counts().deduplicated()).isEqualTo(1);
  }

  @Test
  void a_message_delivered_anew_while_its_start_is_noted_is_looked_up_anew() {
    it = SteppedWorker.withLedger(ONE_CHANCE);
    it.deliverUncompleted(1, 1);
    assertThat(it.commands()).endsWith("note 1#1: started-alone 1");

    it.deliverAs(2, 1);
    it.tick();
    it.noteStored(1);
    assertThat(it.commands()).doesNotContain("run 1#2");
    it.lookedUp(1);
    assertThat(it.commands()).endsWith("ack 1#2");
  }

  @Test
  void a_message_delivered_anew_before_a_thread_began_with_it_is_looked_up_anew() {
    it.port.threadsBusy = true;
    it.deliverUncompleted(1, 1);
    it.deliverAs(2, 1);
    it.tick();
    it.noDeadLetter(1);
    it.lookedUp();

    assertThat(it.commands())
        .containsExactly(
            "completed? 1#1", "run 1#1", "recall 1#1", "look up 1#2", "completed? 1#2", "run 1#2");
  }

  @Test
  void a_message_delivered_anew_while_it_runs_is_not_tried_again_without_being_looked_up() {
    it =
        SteppedWorker.withLedger(
            POLICY.withBreaker(new BreakerPolicy(Duration.ofSeconds(1), 1, Duration.ofHours(1))));
    it.deliverUncompleted(1, 1, 2, 3);
    it.fail(1);
    it.passSeconds(1);
    it.fail(2);
    assertThat(it.status().breakerOpen()).isTrue();
    it.deliverAs(3, 3);
    it.commands();
    it.fail(3);

    assertThat(it.commands()).singleElement().asString().startsWith("nak 3#3");
  }

  // Leases.

  @Test
  void a_lease_is_extended_while_its_completion_is_recorded() {
    it.deliverUncompleted(1, 1);
    it.done(1);
    it.passSeconds(300);
    it.recorded();
    assertThat(it.commands()).endsWith("record 1#1", "ack 1#1");
  }

  @Test
  void what_loses_its_lease_while_it_is_recorded_is_still_recorded_and_nothing_is_sent() {
    it.deliverUncompleted(1, 1);
    it.done(1);
    loseLeases();
    it.commands();
    it.recorded();

    assertThat(it.commands()).isEmpty();
    assertThat(it.status().inFlight()).isZero();
  }

  @Test
  void what_loses_its_lease_before_its_record_failed_is_recorded_again() {
    it.deliverUncompleted(1, 1);
    it.done(1);
    loseLeases();
    it.recordingFails();
    it.commands();
    it.passSeconds(2);

    assertThat(it.commands()).containsExactly("record 1#1");
    it.recorded();
    assertThat(it.commands()).isEmpty();
    assertThat(it.status().inFlight()).isZero();
  }

  @Test
  void a_handler_that_is_done_after_the_lease_was_lost_is_recorded_and_nothing_is_sent() {
    it.deliverUncompleted(1, 1);
    loseLeases();
    it.commands();
    it.done(1);
    it.tick();

    assertThat(it.commands()).containsExactly("record 1#1");
    it.recorded();
    assertThat(it.commands()).isEmpty();
    assertThat(it.status().inFlight()).isZero();
  }

  @Test
  void a_handler_that_fails_after_the_lease_was_lost_leaves_nothing() {
    it.deliverUncompleted(1, 1);
    loseLeases();
    it.commands();
    it.fail(1);
    it.tick();
    assertThat(it.commands()).isEmpty();
    assertThat(it.status().inFlight()).isZero();
  }

  @Test
  void what_is_redelivered_here_while_it_is_recorded_unleased_is_acked_once_it_is() {
    it.deliverUncompleted(1, 1);
    loseLeases();
    it.done(1);
    it.deliverAs(2, 1);
    it.tick();
    it.commands();
    it.recorded();

    assertThat(it.commands()).containsExactly("ack 1#2");
    assertThat(it.status().inFlight()).isZero();
  }

  @Test
  void what_is_redelivered_here_while_it_runs_unleased_is_acked_once_it_is_done_and_recorded() {
    it.deliverUncompleted(1, 1);
    loseLeases();
    it.deliverAs(2, 1);
    it.done(1);
    it.tick();
    it.recorded();
    assertThat(it.commands()).containsExactly("completed? 1#1", "run 1#1", "record 1#2", "ack 1#2");
  }

  // Deaths.

  @Test
  void a_dying_message_that_another_worker_completed_is_acked_without_evidence() {
    it.deliverUncompleted(1, 1);
    it.commands();
    it.reject(1);
    it.tick();
    assertThat(it.commands()).containsExactly("completed? 1#1");

    it.lookedUp(1);
    assertThat(it.commands()).containsExactly("ack 1#1");
    assertThat(it.events()).doesNotContain("dead 1#1");
    assertThat(it.status().counts().dead()).isZero();
    assertThat(it.status().counts().deduplicated()).isEqualTo(1);
  }

  @Test
  void a_dying_message_that_nobody_completed_is_buried() {
    it.deliverUncompleted(1, 1);
    it.reject(1);
    it.tick();
    it.commands();
    it.lookedUp();

    assertThat(it.commands()).containsExactly("bury 1#1: rejected, unwanted 1");
    it.buried(1);
    assertThat(it.commands()).containsExactly("term 1#1");
  }

  @Test
  void a_message_that_killed_its_worker_is_not_condemned_when_it_was_completed() {
    it = SteppedWorker.withLedger(POLICY.withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(2)));
    it.deliverAs(3, 1);
    it.tick();
    it.noDeadLetter(1);
    it.noteSays(1, RunNote.Kind.STARTED_ALONE, 2);
    it.commands();
    it.lookedUp(1);

    assertThat(it.commands()).containsExactly("ack 1#3");
  }

  // Notes.

  @Test
  void on_the_last_chance_the_outcome_is_noted_then_recorded_then_acked() {
    it = SteppedWorker.withLedger(ONE_CHANCE);
    it.deliverUncompleted(1, 1);
    it.noteStored(1);
    it.done(1);
    it.tick();
    it.noteStored(1);
    it.tick();
    it.recorded();

    assertThat(it.commands())
        .containsExactly(
            "completed? 1#1",
            "note 1#1: started-alone 1",
            "run 1#1",
            "note 1#1: ended 1",
            "record 1#1",
            "ack 1#1");
  }

  @Test
  void a_success_whose_lease_is_lost_while_it_is_noted_is_recorded_all_the_same() {
    it = SteppedWorker.withLedger(ONE_CHANCE);
    it.deliverUncompleted(1, 1);
    it.noteStored(1);
    it.done(1);
    it.notesFail(1);
    loseLeases();
    assertThat(it.commands()).contains("record 1#1").doesNotContain("ack 1#1");

    it.recorded();
    assertThat(it.commands()).doesNotContain("ack 1#1");
    assertThat(it.status().inFlight()).isZero();
  }

  @Test
  void a_failure_whose_lease_is_lost_while_it_is_noted_is_not_recorded() {
    it = SteppedWorker.withLedger(ONE_CHANCE);
    it.deliverUncompleted(1, 1);
    it.noteStored(1);
    it.failTransiently(1, Duration.ofSeconds(1));
    it.notesFail(1);
    loseLeases();
    assertThat(it.commands()).noneMatch(command -> command.startsWith("record"));
    assertThat(it.status().inFlight()).isZero();
  }

  // The stream.

  @Test
  void when_the_stream_is_replaced_nothing_old_is_asked_of_its_ledger() {
    it.deliver(1);
    it.deliver(2);
    it.tick();
    it.lookedUp();
    it.deliver(3);
    it.done(1);
    InFlight<String> recorded = it.message(1);
    it.commands();
    it.worker.streamReplaced();
    it.port.referee.streamReplaced();
    it.passSeconds(60);

    assertThat(it.commands()).isEmpty();
    assertThat(it.status().inFlight()).isZero();
    assertThat(recorded.state()).isEqualTo(DeliveryState.LOST);
  }

  @Test
  void answers_about_messages_of_a_stream_that_is_no_more_change_nothing() {
    it.deliver(1);
    it.tick();
    it.lookedUp();
    it.done(1);
    it.deliver(2);
    it.tick();
    it.worker.streamReplaced();
    it.commands();
    it.lookedUp(2);
    it.recordingFails();

    assertThat(it.commands()).isEmpty();
    assertThat(it.events()).noneMatch(event -> event.startsWith("LEDGER"));
  }

  // Pause.

  @Test
  void a_paused_worker_looks_up_and_records_but_starts_nothing() {
    it.deliverUncompleted(1, 1);
    it.deliver(2, 3);
    it.worker.pause();
    it.done(1);
    it.tick();
    it.recorded();
    it.lookedUp(2);
    assertThat(it.commands())
        .containsExactly(
            "completed? 1#1", "run 1#1", "record 1#1", "completed? 2#1 3#1", "ack 1#1", "ack 2#1");

    it.worker.resume();
    it.tick();
    assertThat(it.commands()).containsExactly("run 3#1");
  }
}
