package dev.contrail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.policy.RetryPolicy;
import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A stream that was deleted and made again hands out the same sequences for other messages. */
class StreamReplacedTest {
  private final SteppedWorker it =
      new SteppedWorker(
          WorkerPolicy.defaults(4)
              .withHandlerTimeout(Duration.ofMinutes(1))
              .withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(3)));

  private void replace() {
    it.worker.streamReplaced();
    it.port.referee.streamReplaced();
  }

  /** A message of the new stream, told from the old one by its delivery's name. */
  private void deliverNew(long sequence, long count) {
    String delivery = "new " + sequence + "#" + count;
    Now now = it.now();
    it.port.referee.delivered(delivery, now.nanos());
    it.worker.delivered(delivery, sequence, count, now.epochMillis(), 100, now.nanos(), now);
  }

  @Test
  void the_outcome_of_an_old_run_does_not_touch_the_new_message() {
    it.deliver(1);
    InFlight<String> old = it.message(1);
    replace();
    deliverNew(1, 1);
    it.commands();

    it.end(old, Outcome.Done.DONE);
    assertThat(it.commands()).isEmpty();
    it.fail(1);
    assertThat(it.commands()).containsExactly("nak new 1#1 in 500ms");
  }

  @Test
  void what_has_not_begun_is_not_run() {
    it.port.threadsBusy = true;
    it.deliver(1, 2);
    it.worker.pause();
    it.worker.resume();
    it.commands();
    replace();
    it.tick();

    assertThat(it.commands()).isEmpty();
    assertThat(it.status().inFlight()).isZero();
  }

  @Test
  void nothing_is_sent_for_what_was_held_in_whatever_state() {
    it.deliver(1);
    it.deliverAs(2, 2);
    it.deliver(3);
    it.reject(3);
    it.deliverAs(3, 4);
    it.noDeadLetter(4);
    InFlight<String> dying = it.message(3);
    InFlight<String> starting = it.message(4);
    it.commands();
    replace();
    it.pass(Duration.ofMinutes(5));

    it.buried(dying);
    it.worker.noteStored(starting, it.now());
    it.passSeconds(30);
    assertThat(it.commands()).as("no note either: it would be of the new message").isEmpty();
    assertThat(it.status().inFlight()).isZero();
  }

  @Test
  void a_handler_that_is_stuck_with_an_old_message_does_not_keep_the_new_one_from_running() {
    it.deliver(1);
    it.passSeconds(65);
    it.commands();
    replace();
    deliverNew(1, 1);
    assertThat(it.commands()).containsExactly("run new 1#1");
  }

  @Test
  void what_is_remembered_of_old_returns_does_not_spare_the_new_message_its_look_up() {
    it.deliver(1);
    it.fail(1);
    it.commands();
    replace();
    deliverNew(1, 2);

    assertThat(it.commands()).containsExactly("look up new 1#2");
  }

  @Test
  void a_start_that_is_still_to_be_taken_back_is_forgotten() {
    it.extensionsArrive = false;
    it.deliverAs(3, 1);
    it.noDeadLetter(1);
    it.noteStored(1);
    it.passSeconds(40);
    it.notesFail(1);
    it.commands();
    replace();
    it.passSeconds(60);
    assertThat(it.commands()).doesNotContain("note 1#3: ended 3");

    it.extensionsArrive = true;
    deliverNew(1, 4);
    assertThat(it.commands()).containsExactly("look up new 1#4", "read note new 1#4");
  }
}
