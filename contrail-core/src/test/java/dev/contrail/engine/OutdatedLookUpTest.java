package dev.contrail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.policy.BreakerPolicy;
import dev.contrail.policy.RetryPolicy;
import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A message that waited long is looked up once more before it is run: a server that forgot its
 * delivery may have given it to another worker, who completed it.
 */
class OutdatedLookUpTest {
  private static final WorkerPolicy POLICY =
      WorkerPolicy.defaults(4).withHandlerTimeout(Duration.ofHours(1));
  private static final WorkerPolicy ONE_CHANCE =
      POLICY.withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(1));
  private static final BreakerPolicy SOON_OPEN =
      new BreakerPolicy(Duration.ofSeconds(1), 1, Duration.ofSeconds(10));

  private SteppedWorker it = SteppedWorker.withLedger(POLICY);

  /** Holds them ready, looked up now. */
  private void holdReady(long... sequences) {
    it.port.threadsBusy = true;
    it.deliverUncompleted(1, sequences);
    it.pauseBeforeTheyBegin();
  }

  @Test
  void what_waited_for_a_moment_is_run_at_once() {
    holdReady(1);
    it.passSeconds(2);
    it.worker.resume();
    it.tick();
    assertThat(it.commands()).containsExactly("run 1#1");
  }

  @Test
  void what_waited_for_longer_is_looked_up_again_and_run_if_nobody_completed_it() {
    holdReady(1, 2);
    it.passSeconds(3);
    assertThat(it.commands()).isEmpty();
    it.worker.resume();
    it.tick();
    it.tick();
    assertThat(it.commands()).as("asked at once, of all").containsExactly("completed? 1#1 2#1");

    it.lookedUp();
    it.tick();
    assertThat(it.commands()).containsExactly("run 1#1", "run 2#1");
  }

  @Test
  void what_was_completed_meanwhile_is_acked_unrun() {
    holdReady(1, 2);
    it.passSeconds(60);
    it.worker.resume();
    it.tick();
    it.tick();
    it.commands();
    it.lookedUp(1);

    assertThat(it.commands()).containsExactly("ack 1#1", "run 2#1");
    assertThat(it.status().counts().deduplicated()).isEqualTo(1);
  }

  @Test
  void an_answer_that_took_long_is_good_for_a_start() {
    it.deliver(1);
    it.tick();
    it.passSeconds(9);
    it.lookedUp();
    assertThat(it.commands()).containsExactly("completed? 1#1", "run 1#1");
  }

  @Test
  void without_a_ledger_nobody_is_asked() {
    it = new SteppedWorker(POLICY);
    it.port.threadsBusy = true;
    it.deliver(1);
    it.passSeconds(60);
    it.pauseBeforeTheyBegin();
    it.passSeconds(60);
    it.worker.resume();
    it.tick();
    assertThat(it.commands()).containsExactly("run 1#1");
  }

  @Test
  void while_the_ledger_is_away_what_waited_long_is_not_run() {
    holdReady(1);
    it.passSeconds(3);
    it.worker.resume();
    it.tick();
    it.tick();
    it.lookUpFails();
    assertThat(it.status().held()).isEqualTo(1);
    it.step(Duration.ofSeconds(1));
    it.lookedUp();
    assertThat(it.commands()).containsExactly("completed? 1#1", "completed? 1#1", "run 1#1");
  }

  // Taken back meanwhile.

  @Test
  void one_that_is_paused_while_it_is_looked_up_again_does_not_run_on_that_answer() {
    holdReady(1);
    it.passSeconds(3);
    it.worker.resume();
    it.tick();
    it.tick();
    it.worker.pause();
    it.lookedUp();
    assertThat(it.commands()).containsExactly("completed? 1#1");

    it.worker.resume();
    it.tick();
    it.tick();
    it.lookedUp(1);
    assertThat(it.commands()).containsExactly("completed? 1#1", "ack 1#1");
  }

  @Test
  void an_answer_to_an_earlier_question_is_none_to_the_latest() {
    holdReady(1);
    it.passSeconds(3);
    it.worker.resume();
    it.tick();
    it.tick();
    it.worker.pause();
    it.worker.resume();
    it.tick();
    it.tick();
    it.lookedUp();
    assertThat(it.commands()).containsExactly("completed? 1#1", "completed? 1#1");

    it.lookedUp(1);
    assertThat(it.commands()).containsExactly("ack 1#1");
  }

  @Test
  void one_that_loses_its_lease_while_it_is_looked_up_again_is_not_run() {
    holdReady(1);
    it.passSeconds(3);
    it.worker.resume();
    it.tick();
    it.tick();
    it.extensionsArrive = false;
    it.passSeconds(40);
    it.commands();
    it.lookedUp();
    assertThat(it.commands()).isEmpty();
    assertThat(it.status().inFlight()).isZero();
  }

  // The circuit breaker.

  private void openBreaker() {
    it = SteppedWorker.withLedger(POLICY.withBreaker(SOON_OPEN));
    it.deliverUncompleted(1, 1, 2, 3);
    it.fail(1);
    it.passSeconds(1);
    it.fail(2, 3);
    assertThat(it.status().breakerOpen()).isTrue();
    it.commands();
  }

  @Test
  void one_that_the_breaker_holds_is_looked_up_again_before_it_is_tried() {
    openBreaker();
    it.passSeconds(11);
    assertThat(it.commands()).singleElement().asString().startsWith("completed? ");
    it.lookedUp();
    assertThat(it.commands())
        .as("tried although the breaker is open")
        .singleElement()
        .asString()
        .startsWith("run ");
  }

  @Test
  void while_one_is_looked_up_to_be_tried_no_other_is_tried() {
    openBreaker();
    it.passSeconds(60);
    assertThat(it.commands()).as("a minute later").hasSize(1);
    it.lookUpFails();
    it.passSeconds(60);
    assertThat(it.commands()).allMatch(command -> command.startsWith("completed? "));
    it.lookedUp();
    assertThat(it.commands()).singleElement().asString().startsWith("run ");
  }

  @Test
  void when_the_breaker_closes_all_that_it_held_are_looked_up_again_at_once() {
    openBreaker();
    it.passSeconds(11);
    it.lookedUp();
    String tried = it.commands().get(1);
    it.done(tried.contains("2#1") ? 2 : 3);
    it.tick();
    assertThat(it.commands()).contains(tried.contains("2#1") ? "completed? 3#1" : "completed? 2#1");
  }

  // Suspects.

  @Test
  void a_suspect_that_waited_long_for_its_lane_is_looked_up_again() {
    it.deliverAs(4, 1, 2);
    it.tick();
    it.lookedUp();
    it.noDeadLetter(1);
    it.noDeadLetter(2);
    assertThat(it.commands()).endsWith("run 1#4");
    it.passSeconds(5);
    it.fail(1);
    it.tick();
    assertThat(it.commands()).endsWith("completed? 2#4");
    it.lookedUp(2);
    assertThat(it.commands()).containsExactly("ack 2#4");
  }

  // Waiting for a thread.

  @Test
  void what_waits_long_for_a_thread_is_looked_up_again_where_it_waits() {
    it.port.threadsBusy = true;
    it.deliverUncompleted(1, 1, 2);
    it.passSeconds(4);
    assertThat(it.commands())
        .containsExactly("completed? 1#1 2#1", "run 1#1", "run 2#1", "completed? 1#1 2#1");
    it.lookedUp();
    assertThat(it.commands()).as("not taken back").isEmpty();

    it.passSeconds(4);
    assertThat(it.commands()).as("and again").containsExactly("completed? 1#1 2#1");
  }

  @Test
  void what_was_completed_while_it_waited_for_a_thread_is_taken_back_and_acked() {
    it.port.threadsBusy = true;
    it.deliverUncompleted(1, 1, 2);
    it.passSeconds(4);
    it.commands();
    it.lookedUp(1);
    assertThat(it.commands()).containsExactly("recall 1#1", "ack 1#1");
  }

  @Test
  void what_was_begun_before_the_answer_came_runs_on() {
    it.port.threadsBusy = true;
    it.deliverUncompleted(1, 1);
    it.passSeconds(4);
    it.begin(1);
    it.commands();
    it.lookedUp(1);
    assertThat(it.commands()).isEmpty();

    it.done(1);
    it.tick();
    it.recorded();
    assertThat(it.commands()).containsExactly("record 1#1", "ack 1#1");
  }

  @Test
  void an_answer_to_what_was_asked_before_it_ran_does_not_let_it_die() {
    it.port.threadsBusy = true;
    it.deliverUncompleted(1, 1);
    it.passSeconds(4);
    it.begin(1);
    it.commands();
    it.reject(1);
    it.lookedUp();
    assertThat(it.commands()).as("the answer was to the question before").isEmpty();

    it.tick();
    it.lookedUp();
    it.tick();
    assertThat(it.commands()).containsExactly("completed? 1#1", "bury 1#1: rejected, unwanted 1");
  }

  @Test
  void what_runs_long_is_not_looked_up() {
    it.deliverUncompleted(1, 1);
    it.commands();
    it.passSeconds(600);
    assertThat(it.commands()).isEmpty();
  }

  @Test
  void while_the_ledger_is_away_what_waits_long_for_a_thread_is_taken_back() {
    it.port.threadsBusy = true;
    it.deliverUncompleted(1, 1);
    it.passSeconds(4);
    it.commands();
    it.lookUpFails();
    assertThat(it.commands()).containsExactly("recall 1#1");

    it.passSeconds(3);
    it.lookedUp();
    assertThat(it.commands()).endsWith("completed? 1#1", "run 1#1");
  }

  @Test
  void nor_is_it_left_there_when_the_ledger_was_found_away_by_others() {
    it.port.threadsBusy = true;
    it.deliverUncompleted(1, 1);
    it.deliver(2);
    it.tick();
    it.lookUpFails();
    it.commands();
    it.passSeconds(4);
    assertThat(it.commands()).contains("recall 1#1");
    it.lookedUp();
    it.tick();
    it.lookedUp(1);
    assertThat(it.commands()).contains("ack 1#1").doesNotContain("run 1#1");
  }

  @Test
  void a_dying_message_is_not_buried_on_an_answer_from_before_its_run() {
    it.port.threadsBusy = true;
    it.deliverUncompleted(1, 1);
    it.passSeconds(4);
    it.begin(1);
    it.reject(1);
    it.tick();
    it.commands();
    it.lookedUp();
    assertThat(it.commands()).isEmpty();

    it.lookedUp(1);
    assertThat(it.commands()).containsExactly("ack 1#1");
  }

  // On the last chance.

  @Test
  void one_whose_start_took_long_to_be_noted_is_looked_up_again_before_it_runs() {
    it = SteppedWorker.withLedger(ONE_CHANCE);
    it.deliverUncompleted(1, 1);
    it.passSeconds(9);
    it.commands();
    it.noteStored(1);
    it.tick();
    assertThat(it.commands()).containsExactly("completed? 1#1");
    it.lookedUp();
    assertThat(it.commands()).as("noted once").containsExactly("run 1#1");
  }

  @Test
  void one_that_was_completed_while_its_start_was_noted_is_acked_and_the_note_taken_back() {
    it = SteppedWorker.withLedger(ONE_CHANCE);
    it.deliverUncompleted(1, 1);
    it.passSeconds(9);
    it.noteStored(1);
    it.tick();
    it.commands();
    it.lookedUp(1);
    assertThat(it.commands()).containsExactlyInAnyOrder("ack 1#1", "note 1#1: ended 1");
  }

  @Test
  void one_that_waited_long_is_looked_up_first_and_its_start_noted_then() {
    it = SteppedWorker.withLedger(ONE_CHANCE);
    it.deliver(1);
    it.tick();
    it.worker.pause();
    it.lookedUp();
    it.passSeconds(3);
    it.worker.resume();
    it.tick();
    it.tick();
    it.lookedUp();
    it.noteStored(1);
    assertThat(it.commands())
        .containsExactly(
            "completed? 1#1", "completed? 1#1", "note 1#1: started-alone 1", "run 1#1");
  }

  @Test
  void a_note_that_is_taken_back_does_not_start_one_that_is_being_looked_up() {
    it = SteppedWorker.withLedger(ONE_CHANCE);
    it.deliverUncompleted(1, 1);
    it.worker.pause();
    it.passSeconds(3);
    it.worker.resume();
    it.tick();
    it.tick();
    assertThat(it.commands()).endsWith("completed? 1#1");
    // The one that was under way when it was taken back, and the one that takes it back.
    it.noteStored(1);
    it.noteStored(1);
    assertThat(it.commands()).containsExactly("note 1#1: ended 1");

    it.lookedUp();
    it.noteStored(1);
    assertThat(it.commands()).containsExactly("note 1#1: started-alone 1", "run 1#1");
  }
}
