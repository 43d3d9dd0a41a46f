package dev.contrail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.policy.BreakerPolicy;
import dev.contrail.policy.RetryPolicy;
import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A drain finishes what it can in time, returns the rest, and never acks a failure. */
class DrainTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final WorkerPolicy POLICY = WorkerPolicy.defaults(4);

  private SteppedWorker it = new SteppedWorker(POLICY);

  private void drain() {
    it.worker.drain(TIMEOUT, it.now());
    it.tick();
  }

  @Test
  void an_idle_worker_is_drained_at_once() {
    assertThat(it.worker.isDrained()).isFalse();
    drain();
    assertThat(it.worker.isDrained()).isTrue();
  }

  @Test
  void what_runs_and_what_waits_is_finished_within_the_timeout() {
    it.port.threadsBusy = true;
    it.deliver(1, 2);
    it.begin(1);
    drain();
    it.passSeconds(10);
    it.done(1);
    it.begin(2);
    it.passSeconds(9);
    assertThat(it.worker.isDrained()).isFalse();
    it.done(2);

    assertThat(it.commands()).containsExactly("run 1#1", "run 2#1", "ack 1#1", "ack 2#1");
    assertThat(it.worker.isDrained()).isTrue();
  }

  @Test
  void nothing_is_pulled_any_more_but_what_still_comes_is_worked() {
    it.consumerReady();
    it.tick();
    it.port.pulls();
    it.deliver(1);
    drain();
    it.deliver(2);
    it.done(1);
    it.done(2);
    it.passSeconds(10);

    assertThat(it.port.pulls()).isEmpty();
    assertThat(it.commands()).containsExactly("run 1#1", "run 2#1", "ack 1#1", "ack 2#1");
  }

  @Test
  void what_has_not_begun_in_time_is_returned_at_once() {
    it.port.threadsBusy = true;
    it.deliver(1);
    it.deliverAs(2, 2);
    drain();
    it.pass(TIMEOUT);

    assertThat(it.commands())
        .containsExactlyInAnyOrder("run 1#1", "look up 2#2", "recall 1#1", "nak 1#1", "nak 2#2");
    assertThat(it.status().counts().givenBack()).isEqualTo(2);
    assertThat(it.worker.isDrained()).isTrue();
  }

  @Test
  void what_still_runs_is_interrupted_and_returned_when_it_ends() {
    it.deliver(1, 2, 3);
    drain();
    it.pass(TIMEOUT);
    assertThat(it.commands())
        .containsExactlyInAnyOrder(
            "run 1#1", "run 2#1", "run 3#1", "interrupt 1#1", "interrupt 2#1", "interrupt 3#1");
    assertThat(it.worker.isDrained()).isFalse();

    it.fail(1);
    it.reject(2);
    it.failToDecode(3);

    assertThat(it.commands()).containsExactly("nak 1#1", "nak 2#1", "nak 3#1");
    assertThat(it.worker.isDrained()).isTrue();
  }

  @Test
  void a_handler_that_succeeds_after_it_was_interrupted_is_acked() {
    it.deliver(1);
    drain();
    it.pass(TIMEOUT);
    it.done(1);

    assertThat(it.commands()).containsExactly("run 1#1", "interrupt 1#1", "ack 1#1");
  }

  @Test
  void what_comes_after_the_timeout_is_returned_unrun() {
    it.deliver(1);
    drain();
    it.pass(TIMEOUT);
    it.commands();

    it.deliver(2);
    it.deliverAs(2, 3);
    assertThat(it.commands()).containsExactly("nak 2#1", "nak 3#2");
  }

  @Test
  void what_is_being_buried_is_waited_for_and_returned_only_when_the_time_is_over() {
    it.deliver(1, 2);
    it.reject(1, 2);
    it.worker.pause();
    drain();
    it.passSeconds(10);
    it.buried(1);
    it.pass(TIMEOUT);

    assertThat(it.commands()).endsWith("term 1#1", "nak 2#1");
    assertThat(it.worker.isDrained()).isTrue();
    it.buried(it.message(2));
    assertThat(it.commands()).as("its next delivery finds the dead letter").isEmpty();
  }

  @Test
  void a_paused_worker_returns_what_it_holds_at_once() {
    it.port.threadsBusy = true;
    it.deliver(1, 2);
    it.pauseBeforeTheyBegin();
    drain();

    assertThat(it.commands()).containsExactlyInAnyOrder("nak 1#1", "nak 2#1");
    assertThat(it.worker.isDrained()).isTrue();
  }

  @Test
  void with_an_open_breaker_what_is_held_is_returned_at_once() {
    it =
        new SteppedWorker(
            POLICY.withBreaker(new BreakerPolicy(Duration.ofSeconds(1), 1, Duration.ofHours(1))));
    it.deliver(1, 2, 3);
    it.fail(1);
    it.passSeconds(1);
    it.fail(2);
    it.deliver(4);
    it.commands();
    drain();
    assertThat(it.commands()).containsExactlyInAnyOrder("nak 2#1", "nak 4#1");

    it.done(3);
    assertThat(it.worker.isDrained()).isTrue();
  }

  @Test
  void what_is_lost_is_not_returned() {
    it.port.threadsBusy = true;
    it.deliver(1);
    it.pauseBeforeTheyBegin();
    it.extensionsArrive = false;
    it.pass(SteppedWorker.ACK_WAIT.plusSeconds(10));
    drain();
    it.pass(TIMEOUT);

    assertThat(it.commands()).isEmpty();
    assertThat(it.worker.isDrained()).isTrue();
  }

  @Test
  void a_handler_without_a_lease_is_interrupted_and_waited_for_in_silence() {
    it.deliver(1);
    it.extensionsArrive = false;
    it.pass(SteppedWorker.ACK_WAIT.plusSeconds(10));
    drain();
    it.pass(TIMEOUT);
    assertThat(it.commands()).containsExactly("run 1#1", "interrupt 1#1");
    assertThat(it.worker.isDrained()).isFalse();

    it.fail(1);
    assertThat(it.commands()).isEmpty();
    assertThat(it.worker.isDrained()).isTrue();
  }

  @Test
  void a_handler_that_times_out_after_the_drain_is_returned_and_does_not_die() {
    it =
        new SteppedWorker(
            POLICY
                .withHandlerTimeout(Duration.ofSeconds(60))
                .withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(1)));
    it.deliver(1);
    it.noteStored(1);
    drain();
    it.pass(TIMEOUT);
    it.commands();
    it.passSeconds(60);

    assertThat(it.commands()).endsWith("interrupt 1#1", "nak 1#1");
    it.noteStored(1);
    assertThat(it.worker.isDrained()).isTrue();
  }

  @Test
  void a_success_whose_end_is_being_noted_is_acked_and_not_returned() {
    it = new SteppedWorker(POLICY.withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(1)));
    it.deliver(1);
    it.noteStored(1);
    it.done(1);
    it.notesFail(1);
    it.commands();
    drain();
    it.pass(TIMEOUT);

    assertThat(it.commands()).endsWith("ack 1#1");
    assertThat(it.worker.isDrained()).isTrue();
  }

  @Test
  void a_success_after_the_timeout_does_not_wait_for_its_note() {
    it = new SteppedWorker(POLICY.withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(1)));
    it.deliver(1);
    it.noteStored(1);
    drain();
    it.pass(TIMEOUT);
    it.commands();
    it.done(1);

    assertThat(it.commands()).containsExactly("ack 1#1");
    assertThat(it.status().inFlight()).isZero();
  }

  @Test
  void after_the_timeout_a_start_is_taken_back_only_as_long_as_its_store_may_answer() {
    it = new SteppedWorker(POLICY.withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(1)));
    it.deliver(1);
    it.noteStored(1);
    drain();
    it.pass(TIMEOUT);
    it.done(1);
    assertThat(it.worker.isDrained()).isFalse();

    it.notesFail(1);
    assertThat(it.worker.isDrained()).isTrue();
  }

  @Test
  void a_failure_that_was_to_be_held_when_noted_is_returned() {
    it =
        new SteppedWorker(
            POLICY
                .withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(1))
                .withBreaker(new BreakerPolicy(Duration.ofMillis(1), 1, Duration.ofHours(1))));
    it.deliver(1);
    it.noteStored(1);
    it.fail(1);
    it.passSeconds(1);
    it.deliver(2);
    it.noteStored(2);
    it.fail(2);
    assertThat(it.status().breakerOpen()).isTrue();
    assertThat(it.message(2).state()).isEqualTo(DeliveryState.NOTING);
    it.commands();
    drain();
    it.pass(TIMEOUT);

    assertThat(it.commands()).contains("nak 2#1");
    it.noteStored(1, 2);
    assertThat(it.worker.isDrained()).isTrue();
  }

  @Test
  void a_start_that_is_taken_back_is_waited_for_within_the_timeout() {
    it = new SteppedWorker(POLICY.withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(1)));
    it.port.threadsBusy = true;
    it.deliver(1);
    it.noteStored(1);
    it.worker.pause();
    drain();
    assertThat(it.commands()).endsWith("note 1#1: ended 1", "nak 1#1");
    assertThat(it.worker.isDrained()).isFalse();

    it.noteStored(1);
    assertThat(it.worker.isDrained()).isTrue();
  }

  @Test
  void a_second_drain_changes_nothing() {
    it.deliver(1);
    drain();
    it.passSeconds(10);
    it.worker.drain(Duration.ofHours(1), it.now());
    it.passSeconds(10);

    assertThat(it.commands()).endsWith("interrupt 1#1");
  }
}
