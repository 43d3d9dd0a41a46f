package dev.contrail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.policy.BreakerPolicy;
import dev.contrail.policy.RetryPolicy;
import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A handler that was given up returns after all, and the ledger is told. */
class LateReturnTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final WorkerPolicy POLICY = WorkerPolicy.defaults(4).withHandlerTimeout(TIMEOUT);

  private SteppedWorker it = SteppedWorker.withLedger(POLICY);

  @BeforeEach
  void time_out() {
    it.deliverUncompleted(1, 1);
    it.pass(TIMEOUT.plusSeconds(3));
    assertThat(it.commands()).endsWith("interrupt 1#1", "nak 1#1 in 500ms");
    it.events();
  }

  @Test
  void what_it_did_is_recorded_and_nothing_is_sent() {
    it.done(1);
    it.tick();
    assertThat(it.commands()).containsExactly("record 1#1");
    assertThat(it.events()).containsExactly("done late 1#1");

    it.recorded();
    it.passSeconds(60);
    assertThat(it.commands()).isEmpty();
    assertThat(it.status().counts().done()).isZero();
  }

  @Test
  void whatever_it_failed_with_is_not() {
    it.fail(1);
    it.passSeconds(60);
    assertThat(it.commands()).isEmpty();
  }

  @Test
  void a_record_that_fails_is_tried_again() {
    it.done(1);
    it.tick();
    it.recordingFails();
    it.passSeconds(3);
    assertThat(it.commands()).containsExactly("record 1#1", "record 1#1");
    it.recorded();
    it.passSeconds(60);
    assertThat(it.commands()).isEmpty();
  }

  @Test
  void the_message_is_not_run_when_it_comes_again() {
    it.done(1);
    it.tick();
    it.recorded();
    it.deliverAs(2, 1);
    it.tick();
    it.commands();
    it.lookedUp(1);
    assertThat(it.commands()).containsExactly("ack 1#2");
  }

  @Test
  void nor_before_that_is_recorded_although_the_ledger_does_not_know_it_yet() {
    InFlight<String> first = it.message(1);
    it.deliverAs(2, 1);
    it.tick();
    it.end(first, Outcome.Done.DONE);
    it.commands();
    it.lookedUp();
    assertThat(it.commands()).containsExactly("nak 1#2 in 1s");

    it.tick();
    it.recorded();
    it.deliverAs(3, 1);
    it.tick();
    it.commands();
    it.lookedUp(1);
    assertThat(it.commands()).containsExactly("ack 1#3");
  }

  @Test
  void of_a_stream_that_is_no_more_nothing_is_recorded() {
    it.worker.streamReplaced();
    it.port.referee.streamReplaced();
    it.done(1);
    it.passSeconds(60);
    assertThat(it.commands()).isEmpty();
  }

  @Test
  void of_a_stream_that_is_no_more_nothing_is_recorded_again() {
    it.done(1);
    it.tick();
    it.worker.streamReplaced();
    it.port.referee.streamReplaced();
    it.recordingFails();
    it.commands();
    it.passSeconds(60);
    assertThat(it.commands()).isEmpty();
  }

  @Test
  void a_drain_waits_for_the_record() {
    it.done(1);
    it.tick();
    it.worker.drain(Duration.ofSeconds(30), it.now());
    it.passSeconds(5);
    assertThat(it.worker.isDrained()).isFalse();
    it.recorded();
    assertThat(it.worker.isDrained()).isTrue();
  }

  @Test
  void a_drain_whose_time_is_over_does_not_wait_for_a_ledger_that_is_away() {
    it.done(1);
    it.tick();
    it.recordingFails();
    it.worker.drain(Duration.ofSeconds(30), it.now());
    it.passSeconds(29);
    assertThat(it.worker.isDrained()).isFalse();
    it.passSeconds(3);
    assertThat(it.worker.isDrained()).isTrue();
  }

  @Test
  void without_a_ledger_there_is_nobody_to_tell() {
    it = new SteppedWorker(POLICY);
    it.deliver(1);
    it.pass(TIMEOUT.plusSeconds(3));
    it.commands();
    it.done(1);
    it.passSeconds(60);
    assertThat(it.commands()).isEmpty();
    it.deliverAs(2, 1);
    assertThat(it.commands()).containsExactly("run 1#2");
  }

  @Test
  void one_whose_failure_is_still_being_noted_has_not_failed() {
    it =
        SteppedWorker.withLedger(
            POLICY
                .withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(2))
                .withBreaker(new BreakerPolicy(Duration.ofSeconds(1), 1, Duration.ofHours(1))));
    it.deliverUncompleted(1, 2);
    it.fail(2);
    it.deliverUncompleted(2, 1);
    it.noDeadLetter(1);
    it.noteStored(1);
    it.pass(TIMEOUT.plusSeconds(3));
    assertThat(it.commands()).endsWith("interrupt 1#2", "note 1#2: ended 2");

    it.done(1);
    it.noteStored(1);
    it.tick();
    it.recorded();
    assertThat(it.commands()).containsExactly("record 1#2", "ack 1#2");
  }

  @Test
  void one_that_is_being_buried_is_recorded_too() {
    it = SteppedWorker.withLedger(POLICY.withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(1)));
    it.deliverUncompleted(1, 1);
    it.noteStored(1);
    it.pass(TIMEOUT.plusSeconds(3));
    it.lookedUp();
    assertThat(it.commands()).endsWith("bury 1#1: delivery-limit, ran longer than 2m");
    it.done(1);
    it.tick();
    assertThat(it.commands()).containsExactly("record 1#1");
  }
}
