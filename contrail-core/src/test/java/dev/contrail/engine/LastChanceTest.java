package dev.contrail.engine;

import static dev.contrail.engine.RunNote.Kind.ENDED;
import static dev.contrail.engine.RunNote.Kind.STARTED_ALONE;
import static dev.contrail.engine.RunNote.Kind.STARTED_IN_COMPANY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.policy.RetryPolicy;
import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * From the limit on, the start of a run is noted before it begins and its end before it is acted
 * on, so that a message that kills its worker can be told from its neighbours. The limit is 3.
 */
class LastChanceTest {
  private SteppedWorker it = newWorker();

  private static SteppedWorker newWorker() {
    return new SteppedWorker(
        WorkerPolicy.defaults(8).withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(3)));
  }

  @BeforeEach
  void start() {
    it.commands();
  }

  /** Delivers a message that no worker has seen dead. */
  private void arrive(long count, long sequence) {
    it.deliverAs(count, sequence);
    it.noDeadLetter(sequence);
  }

  /** As {@link #arrive}, and on its way to its only run. */
  private void startAlone(long count, long sequence) {
    arrive(count, sequence);
    it.noteStored(sequence);
    it.commands();
  }

  @Test
  void below_the_limit_nothing_is_noted() {
    arrive(2, 1);
    it.done(1);

    assertThat(it.commands()).containsExactly("look up 1#2", "run 1#2", "ack 1#2");
  }

  @Test
  void at_the_limit_the_start_is_noted_before_the_run_begins() {
    arrive(3, 1);
    it.pass(Duration.ofMinutes(5));
    assertThat(it.commands()).containsExactly("look up 1#3", "note 1#3: started-alone 3");

    it.noteStored(1);
    assertThat(it.commands()).containsExactly("run 1#3");
  }

  @Test
  void a_success_is_acked_only_when_its_end_is_noted() {
    startAlone(3, 1);
    it.done(1);
    it.pass(Duration.ofMinutes(5));
    assertThat(it.commands()).containsExactly("note 1#3: ended 3");

    it.noteStored(1);
    assertThat(it.commands()).containsExactly("ack 1#3");
  }

  @Test
  void a_transient_failure_is_returned_only_when_its_end_is_noted() {
    startAlone(3, 1);
    it.failTransiently(1, Duration.ofSeconds(9));
    it.pass(Duration.ofMinutes(5));
    assertThat(it.commands()).containsExactly("note 1#3: ended 3");

    it.noteStored(1);
    assertThat(it.commands()).containsExactly("nak 1#3 in 9s");
  }

  @Test
  void a_failure_that_kills_goes_straight_to_its_evidence() {
    startAlone(3, 1);
    it.fail(1);
    it.buried(1);

    assertThat(it.commands()).containsExactly("bury 1#3: delivery-limit, boom 1", "term 1#3");
  }

  @Test
  void beyond_the_limit_a_lone_start_without_an_end_condemns() {
    it.deliverAs(4, 1);
    assertThat(it.commands()).containsExactly("look up 1#4", "read note 1#4");

    it.noDeadLetter(1);
    it.noteSays(1, STARTED_ALONE, 3);
    assertThat(it.commands())
        .containsExactly(
            "bury 1#4: delivery-limit, no outcome recorded: the worker that ran delivery 3 died or"
                + " hung while it ran alone");

    it.buried(1);
    assertThat(it.commands()).containsExactly("term 1#4");
  }

  @Test
  void a_condemned_message_that_is_already_dead_is_terminated_whichever_answer_comes_first() {
    it.deliverAs(4, 1, 2);
    it.commands();
    it.noteSays(1, STARTED_ALONE, 3);
    it.deadLetterFound(1);
    it.deadLetterFound(2);
    it.noteSays(2, STARTED_ALONE, 3);

    assertThat(it.commands()).containsExactly("term 1#4", "term 2#4");
    assertThat(it.events()).containsExactly("already dead 1#4", "already dead 2#4");
  }

  @Test
  void beyond_the_limit_an_ended_run_does_not_condemn() {
    it.deliverAs(9, 1);
    it.noDeadLetter(1);
    it.noteSays(1, ENDED, 8);
    it.noteStored(1);

    assertThat(it.commands()).endsWith("note 1#9: started-alone 9", "run 1#9");
  }

  @Test
  void a_neighbour_that_never_started_has_no_note_and_runs() {
    it.deliverAs(4, 1);
    it.noDeadLetter(1);
    it.noNote(1);
    it.noteStored(1);

    assertThat(it.commands()).endsWith("note 1#4: started-alone 4", "run 1#4");
  }

  @Test
  void one_that_was_started_in_company_runs_once_more_alone() {
    widenLane();
    it.deliverAs(4, 1);
    it.noDeadLetter(1);
    it.noteSays(1, STARTED_IN_COMPANY, 3);

    assertThat(it.commands()).endsWith("note 1#4: started-alone 4");
    arrive(3, 2);
    assertThat(it.commands()).as("nobody beside it").containsExactly("look up 2#3");
    it.noteStored(1);
    it.done(1);
    it.noteStored(1);
    assertThat(it.commands())
        .containsExactly(
            "run 1#4", "note 1#4: ended 4", "note 2#3: started-in-company 3", "ack 1#4");
  }

  @Test
  void one_that_must_run_alone_waits_until_the_lane_is_empty() {
    widenLane();
    arrive(3, 1);
    it.noteStored(1);
    it.commands();

    it.deliverAs(4, 2);
    it.noDeadLetter(2);
    it.noteSays(2, STARTED_IN_COMPANY, 3);
    assertThat(it.commands()).containsExactly("look up 2#4", "read note 2#4");

    it.done(1);
    assertThat(it.commands()).containsExactly("note 1#3: ended 3", "note 2#4: started-alone 4");
  }

  @Test
  void a_wide_lane_notes_that_the_start_was_in_company() {
    widenLane();
    arrive(3, 1);

    assertThat(it.commands()).endsWith("note 1#3: started-in-company 3");
  }

  @Test
  void a_worker_killed_by_one_message_condemns_that_one_alone() {
    // Three at their limit: the first runs alone and kills the worker, the others never started.
    arrive(3, 1);
    arrive(3, 2);
    arrive(3, 3);
    assertThat(it.commands())
        .containsExactly("look up 1#3", "note 1#3: started-alone 3", "look up 2#3", "look up 3#3");

    it = newWorker();
    it.deliverAs(4, 1, 2, 3);
    for (long sequence = 1; sequence <= 3; sequence++) {
      it.noDeadLetter(sequence);
    }
    it.noteSays(1, STARTED_ALONE, 3);
    it.noNote(2);
    it.noNote(3);
    it.commands();
    it.buried(1);
    it.noteStored(2);
    it.done(2);
    it.noteStored(2);
    it.noteStored(3);
    it.done(3);
    it.noteStored(3);

    assertThat(it.commands()).contains("term 1#4", "ack 2#4", "ack 3#4");
  }

  @Test
  void a_note_that_comes_straight_back_is_our_own_and_is_not_read() {
    startAlone(3, 1);
    it.failTransiently(1, Duration.ofSeconds(1));
    it.noteStored(1);
    it.commands();

    it.deliverAs(4, 1);
    assertThat(it.commands()).containsExactly("note 1#4: started-in-company 4");
  }

  // The notes' store is down.

  @Test
  void a_start_that_cannot_be_noted_is_held() {
    arrive(3, 1);
    it.notesFail(1);
    it.commands();
    it.pass(Duration.ofMillis(999));
    assertThat(it.commands()).isEmpty();

    it.pass(Duration.ofMillis(1));
    assertThat(it.commands()).containsExactly("note 1#3: started-alone 3");
    it.noteStored(1);
    assertThat(it.commands()).containsExactly("run 1#3");
    assertThat(it.events()).containsExactly("NOTES down: away", "NOTES back");
  }

  @Test
  void an_end_that_cannot_be_noted_holds_the_ack() {
    startAlone(3, 1);
    it.done(1);
    it.notesFail(1);
    it.commands();
    it.pass(Duration.ofMillis(999));
    assertThat(it.commands()).isEmpty();

    it.pass(Duration.ofMillis(1));
    it.noteStored(1);
    assertThat(it.commands()).containsExactly("note 1#3: ended 3", "ack 1#3");
  }

  @Test
  void a_note_that_cannot_be_read_is_read_later() {
    it.deliverAs(4, 1);
    it.noDeadLetter(1);
    it.notesFail(1);
    it.commands();
    it.passSeconds(1);

    assertThat(it.commands()).containsExactly("read note 1#4");
    it.noNote(1);
    assertThat(it.commands()).containsExactly("note 1#4: started-alone 4");
  }

  // The start is taken back when the run ends for no fault of the message.

  @Test
  void a_lost_lease_takes_the_start_back() {
    it.extensionsArrive = false;
    startAlone(3, 1);
    it.pass(Duration.ofMinutes(1));
    assertThat(it.commands()).containsExactly("note 1#3: ended 3");

    it.done(1);
    assertThat(it.commands()).as("and nothing else is sent").isEmpty();
  }

  @Test
  void a_lease_lost_before_the_run_began_takes_the_start_back() {
    it.extensionsArrive = false;
    arrive(3, 1);
    it.commands();
    it.pass(Duration.ofMinutes(1));
    assertThat(it.commands()).containsExactly("note 1#3: ended 3");
    assertThat(it.status().inFlight()).isZero();
  }

  @Test
  void a_start_noted_after_the_lease_was_lost_is_taken_back_and_not_run() {
    it.extensionsArrive = false;
    arrive(3, 1);
    it.commands();
    it.step(SteppedWorker.ACK_WAIT.dividedBy(10));
    it.step(SteppedWorker.ACK_WAIT);

    it.noteStored(1);
    assertThat(it.commands()).contains("note 1#3: ended 3").doesNotContain("run 1#3");
  }

  @Test
  void a_start_that_could_not_be_taken_back_is_taken_back_as_soon_as_the_store_is_there() {
    it.extensionsArrive = false;
    startAlone(3, 1);
    InFlight<String> lost = it.message(1);
    it.pass(Duration.ofMinutes(1));
    it.notesFail(1);
    it.commands();

    it.passSeconds(1);
    assertThat(it.commands()).containsExactly("note 1#3: ended 3");
    it.end(lost, Outcome.Done.DONE);
    it.notesFail(1);
    it.passSeconds(2);
    assertThat(it.commands()).containsExactly("note 1#3: ended 3");
    it.noteStored(1);
    it.pass(Duration.ofMinutes(5));
    assertThat(it.commands()).as("once is enough").isEmpty();
  }

  @Test
  void a_message_that_comes_back_before_its_start_was_taken_back_is_not_condemned() {
    it.extensionsArrive = false;
    startAlone(3, 1);
    InFlight<String> lost = it.message(1);
    it.pass(Duration.ofMinutes(1));
    it.end(lost, Outcome.Done.DONE);
    it.notesFail(1);
    it.commands();
    it.extensionsArrive = true;

    it.deliverAs(4, 1);
    it.noDeadLetter(1);
    it.passSeconds(2);

    assertThat(it.commands())
        .doesNotContain("read note 1#4")
        .contains("look up 1#4", "note 1#4: started-in-company 4");
  }

  @Test
  void a_drain_takes_the_start_of_what_it_returns_back() {
    it.port.threadsBusy = true;
    startAlone(3, 1);
    it.worker.pause();
    it.worker.drain(Duration.ofSeconds(10), it.now());
    it.tick();

    assertThat(it.commands()).containsSubsequence("recall 1#3", "note 1#3: ended 3", "nak 1#3");
  }

  @Test
  void a_drain_takes_the_start_of_what_it_interrupts_back() {
    startAlone(3, 1);
    it.worker.drain(Duration.ofSeconds(10), it.now());
    it.passSeconds(10);
    assertThat(it.commands()).containsExactlyInAnyOrder("interrupt 1#3", "note 1#3: ended 3");

    it.fail(1);
    assertThat(it.commands()).containsExactly("nak 1#3");
  }

  @Test
  void a_drain_takes_a_start_back_that_is_still_being_noted() {
    arrive(3, 1);
    it.commands();
    it.worker.drain(Duration.ofSeconds(10), it.now());
    it.passSeconds(10);

    assertThat(it.commands()).containsExactly("note 1#3: ended 3", "nak 1#3");
    assertThat(it.worker.isDrained()).isTrue();
  }

  @Test
  void a_pause_takes_the_start_of_what_it_recalls_back() {
    it.port.threadsBusy = true;
    startAlone(3, 1);
    it.worker.pause();
    assertThat(it.commands()).containsExactly("recall 1#3", "note 1#3: ended 3");

    it.noteStored(1);
    it.worker.resume();
    it.tick();
    assertThat(it.commands()).containsExactly("note 1#3: started-alone 3");
    it.noteStored(1);
    assertThat(it.commands()).containsExactly("run 1#3");
  }

  @Test
  void a_start_that_is_being_noted_when_the_worker_pauses_does_not_run() {
    arrive(3, 1);
    RunNote start = it.port.note(1);
    it.worker.pause();
    it.commands();

    it.noteStored(1, start);
    assertThat(it.commands()).doesNotContain("run 1#3");
    it.noteStored(1);
    it.worker.resume();
    it.tick();
    it.noteStored(1);
    assertThat(it.commands()).endsWith("note 1#3: started-alone 3", "run 1#3");
  }

  @Test
  void the_answer_to_a_start_taken_back_does_not_start_the_next() {
    it.port.threadsBusy = true;
    startAlone(3, 1);
    it.worker.pause();
    RunNote takenBack = it.port.note(1);
    it.worker.resume();
    it.tick();
    it.commands();

    it.noteStored(1, takenBack);
    assertThat(it.commands()).isEmpty();
    it.noteStored(1);
    assertThat(it.commands()).containsExactly("run 1#3");
  }

  // The stored form.

  @Test
  void a_note_is_stored_with_its_version_and_read_back() {
    for (RunNote.Kind kind : RunNote.Kind.values()) {
      RunNote note = new RunNote(kind, 101);
      assertThat(RunNote.parse(note.text())).contains(note);
    }
    assertThat(new RunNote(STARTED_ALONE, 101).text()).isEqualTo("1 started-alone 101");
  }

  @Test
  void what_is_no_note_of_this_release_is_no_note() {
    for (String text :
        new String[] {
          "", "1", "2 started-alone 101", "1 dancing 101", "1 ended x", "1 ended 1 2"
        }) {
      assertThat(RunNote.parse(text)).as(text).isEqualTo(Optional.empty());
    }
  }

  /** Has suspects below their limit end, so that the lane is eight wide. */
  private void widenLane() {
    it =
        new SteppedWorker(
            WorkerPolicy.defaults(8).withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(3)));
    for (long sequence = 100; sequence < 103; sequence++) {
      arrive(3, sequence);
      it.noteStored(sequence);
      it.done(sequence);
      it.noteStored(sequence);
    }
    it.commands();
  }
}
