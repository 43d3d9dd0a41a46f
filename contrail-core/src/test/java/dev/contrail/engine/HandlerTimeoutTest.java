package dev.contrail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.policy.RetryPolicy;
import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A handler that runs longer than it may is interrupted, and its delivery has failed. */
class HandlerTimeoutTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final SteppedWorker it =
      new SteppedWorker(
          WorkerPolicy.defaults(4)
              .withHandlerTimeout(TIMEOUT)
              .withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(5)));

  @Test
  void it_is_interrupted_and_the_message_returned_as_after_any_failure() {
    it.deliver(1);
    it.pass(TIMEOUT);
    assertThat(it.commands()).containsExactly("run 1#1");

    it.passSeconds(3);
    assertThat(it.commands()).containsExactly("interrupt 1#1", "nak 1#1 in 500ms");
    assertThat(it.events()).containsExactly("timed out 1#1", "retrying 1#1 in 500ms");
  }

  @Test
  void the_time_counts_from_when_a_thread_began_with_it() {
    it.port.threadsBusy = true;
    it.deliver(1);
    it.pass(TIMEOUT.multipliedBy(3));
    it.begin(1);
    it.pass(TIMEOUT);
    assertThat(it.commands()).containsExactly("run 1#1");

    it.passSeconds(3);
    assertThat(it.commands()).startsWith("interrupt 1#1");
  }

  @Test
  void what_the_handler_does_after_its_timeout_changes_nothing() {
    it.deliver(1);
    it.pass(TIMEOUT.plusSeconds(3));
    it.commands();

    it.done(1);

    assertThat(it.commands()).isEmpty();
    assertThat(it.status().counts().done()).isZero();
  }

  @Test
  void at_the_limit_it_dies() {
    it.deliverAs(5, 1);
    it.noDeadLetter(1);
    it.noteStored(1);
    it.pass(TIMEOUT.plusSeconds(3));

    assertThat(it.commands()).endsWith("bury 1#5: delivery-limit, ran longer than 2m");
  }

  @Test
  void a_message_that_comes_back_while_its_handler_is_stuck_is_not_run_beside_it() {
    it.deliver(1);
    it.pass(TIMEOUT.plusSeconds(3));
    it.commands();

    it.deliverAs(2, 1);
    assertThat(it.commands()).containsExactly("nak 1#2 in 1s");
  }

  @Test
  void a_message_that_comes_back_after_its_handler_returned_is_run() {
    it.deliver(1);
    it.pass(TIMEOUT.plusSeconds(3));
    it.fail(1);
    it.commands();

    it.deliverAs(2, 1);
    assertThat(it.commands()).containsExactly("run 1#2");
  }

  @Test
  void a_message_that_keeps_coming_back_while_its_handler_is_stuck_dies_at_the_limit() {
    it.deliver(1);
    it.pass(TIMEOUT.plusSeconds(3));
    for (int count = 2; count <= 5; count++) {
      it.deliverAs(count, 1);
    }

    assertThat(it.commands())
        .endsWith(
            "nak 1#4 in 4s",
            "bury 1#5: delivery-limit, the handler of an earlier delivery timed out, was"
                + " interrupted and still runs");
    it.buried(1);
    assertThat(it.commands()).containsExactly("term 1#5");
  }

  @Test
  void a_stuck_message_that_another_worker_buried_is_terminated() {
    it.deliver(1);
    it.pass(TIMEOUT.plusSeconds(3));
    it.commands();

    it.deliverAs(3, 1);
    assertThat(it.commands()).containsExactly("look up 1#3");
    it.deadLetterFound(1);
    assertThat(it.commands()).containsExactly("term 1#3");
  }

  @Test
  void one_that_runs_without_a_lease_is_interrupted_in_silence_and_not_run_beside_itself() {
    it.extensionsArrive = false;
    it.deliver(1);
    it.pass(TIMEOUT.plusSeconds(3));
    assertThat(it.commands()).containsExactly("run 1#1", "interrupt 1#1");
    assertThat(it.status().inFlight()).isZero();

    it.deliverAs(2, 1);
    it.noDeadLetter(1);
    assertThat(it.commands()).containsExactly("look up 1#2", "nak 1#2 in 1s");
  }

  @Test
  void a_suspect_that_is_stuck_makes_way_for_the_next_although_nothing_else_happens() {
    it.deliverAs(4, 1);
    it.noDeadLetter(1);
    it.deliverAs(4, 2);
    it.noDeadLetter(2);
    assertThat(it.commands()).endsWith("run 1#4", "look up 2#4");

    it.pass(TIMEOUT.plusSeconds(3));
    assertThat(it.commands()).containsExactly("interrupt 1#4", "nak 1#4 in 4s", "run 2#4");
  }
}
