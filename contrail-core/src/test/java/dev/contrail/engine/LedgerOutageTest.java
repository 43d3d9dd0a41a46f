package dev.contrail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.policy.RetryPolicy;
import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A ledger that is down: all is held, nothing is NAKed, and work goes on by itself. */
class LedgerOutageTest {
  private static final Duration DRAIN = Duration.ofSeconds(20);

  private final SteppedWorker it =
      SteppedWorker.withLedger(WorkerPolicy.defaults(4).withHandlerTimeout(Duration.ofHours(1)));

  private void replaceStream() {
    it.worker.streamReplaced();
    it.port.referee.streamReplaced();
  }

  @Test
  void a_completion_that_cannot_be_recorded_is_held_and_recorded_later() {
    it.deliverUncompleted(1, 1, 2);
    it.done(1, 2);
    it.tick();
    it.recordingFails();
    it.commands();

    it.pass(Duration.ofMillis(900));
    assertThat(it.commands()).isEmpty();
    it.pass(Duration.ofMillis(200));
    assertThat(it.commands()).as("one tries for all").containsExactly("record 1#1");
    it.recorded();
    it.tick();
    it.recorded();
    assertThat(it.commands()).containsExactly("ack 1#1", "record 2#1", "ack 2#1");
    assertThat(it.status().held()).isZero();
  }

  @Test
  void while_it_is_held_its_lease_is_extended_and_it_is_never_returned() {
    it.deliverUncompleted(1, 1);
    it.done(1);
    it.tick();
    it.recordingFails();
    for (int i = 0; i < 10; i++) {
      it.passSeconds(40);
      it.recordingFails();
    }
    assertThat(it.status().held()).isEqualTo(1);
    it.passSeconds(40);
    it.recorded();

    assertThat(it.commands())
        .filteredOn(command -> !command.equals("record 1#1"))
        .containsExactly("completed? 1#1", "run 1#1", "ack 1#1");
  }

  @Test
  void tries_come_after_1_2_4_and_at_most_30_seconds() {
    it.deliver(1);
    it.tick();
    it.lookUpFails();
    it.commands();
    for (int wait : new int[] {1, 2, 4, 8, 16, 30, 30}) {
      it.pass(Duration.ofSeconds(wait).minusMillis(1));
      assertThat(it.commands()).as("before %s s", wait).isEmpty();
      it.pass(Duration.ofMillis(1));
      assertThat(it.commands()).as("after %s s", wait).containsExactly("completed? 1#1");
      it.lookUpFails();
    }
  }

  @Test
  void only_one_look_up_tries_at_a_time_and_its_success_releases_all() {
    it.deliver(1, 2, 3);
    it.tick();
    it.lookUpFails();
    it.deliver(4);
    it.commands();
    it.passSeconds(20);
    assertThat(it.commands()).containsExactly("completed? 1#1");

    it.lookedUp();
    it.tick();
    assertThat(it.commands()).containsExactly("run 1#1", "completed? 2#1 3#1 4#1");
    it.lookedUp();
    assertThat(it.commands()).containsExactly("run 2#1", "run 3#1", "run 4#1");
  }

  @Test
  void it_is_told_once_that_it_is_down_and_once_that_it_is_back() {
    it.deliverUncompleted(1, 1, 2);
    it.done(1);
    it.deliver(3);
    it.tick();
    it.recordingFails();
    it.lookUpFails();
    it.passSeconds(1);
    it.recordingFails();
    it.lookUpFails();
    assertThat(it.events()).containsExactly("LEDGER down: ledger away");

    it.passSeconds(2);
    it.recorded();
    assertThat(it.events()).as("look-ups still fail").isEmpty();
    it.lookedUp();
    assertThat(it.events()).containsExactly("LEDGER back");
  }

  @Test
  void nothing_is_pulled_while_somebody_waits_for_it() {
    it.consumerReady();
    it.deliver(1);
    it.tick();
    it.lookUpFails();
    it.worker.pullEnded(it.port.lastPull(), it.now());
    it.port.pulls();
    it.passSeconds(1);
    it.lookUpFails();
    it.passSeconds(60);
    assertThat(it.port.pulls()).isEmpty();

    it.lookedUp();
    it.tick();
    assertThat(it.port.pulls()).isNotEmpty();
  }

  @Test
  void when_all_who_waited_for_it_are_lost_it_is_pulled_again_or_nobody_would_ever_try() {
    it.consumerReady();
    it.deliver(1);
    it.tick();
    it.lookUpFails();
    it.extensionsArrive = false;
    it.passSeconds(40);
    assertThat(it.status().inFlight()).isZero();
    it.worker.disconnected();
    it.port.pulls();
    it.extensionsArrive = true;
    it.consumerReady();
    it.tick();
    assertThat(it.port.pulls()).isNotEmpty();

    it.deliverAs(2, 1);
    it.tick();
    it.noDeadLetter(1);
    it.commands();
    it.lookUpFails();
    it.lookedUp();
    assertThat(it.commands()).containsExactly("run 1#2");
    assertThat(it.events()).endsWith("LEDGER back");
  }

  @Test
  void a_stream_that_is_replaced_while_it_is_down_is_worked() {
    it.consumerReady();
    it.deliverUncompleted(1, 1);
    it.done(1);
    it.tick();
    it.recordingFails();
    it.worker.consumerGone();
    replaceStream();
    it.port.pulls();
    it.consumerReady();
    it.passSeconds(2);

    assertThat(it.port.pulls()).isNotEmpty();
    assertThat(it.commands()).as("nothing of the old stream").doesNotHaveDuplicates();
  }

  @Test
  void a_dying_message_waits_for_it_too() {
    it.deliverUncompleted(1, 1);
    it.reject(1);
    it.tick();
    it.lookUpFails();
    it.commands();
    it.passSeconds(1);
    assertThat(it.commands()).containsExactly("completed? 1#1");

    it.lookedUp();
    assertThat(it.commands()).containsExactly("bury 1#1: rejected, unwanted 1");
  }

  // Drains.

  @Test
  void a_drain_never_returns_what_is_completed() {
    it.deliverUncompleted(1, 1, 2);
    it.done(1);
    it.tick();
    it.recordingFails();
    it.commands();
    it.worker.drain(DRAIN, it.now());
    it.pass(DRAIN);

    assertThat(it.commands()).contains("interrupt 2#1").noneMatch(c -> c.startsWith("nak 1"));
    it.fail(2);
    assertThat(it.commands()).containsExactly("nak 2#1");
    assertThat(it.worker.isDrained()).isTrue();
  }

  @Test
  void what_is_done_after_the_drain_gave_up_is_recorded_and_acked() {
    it.deliverUncompleted(1, 1);
    it.worker.drain(DRAIN, it.now());
    it.pass(DRAIN);
    it.commands();
    it.done(1);
    it.tick();
    assertThat(it.worker.isDrained()).isFalse();
    it.recorded();

    assertThat(it.commands()).containsExactly("record 1#1", "ack 1#1");
    assertThat(it.worker.isDrained()).isTrue();
  }

  @Test
  void what_is_being_recorded_when_the_drain_gives_up_is_waited_for() {
    it.deliverUncompleted(1, 1);
    it.worker.drain(DRAIN, it.now());
    it.pass(DRAIN.minusMillis(1));
    it.done(1);
    it.pass(Duration.ofMillis(2));
    assertThat(it.worker.isDrained()).isFalse();
    it.recorded();

    assertThat(it.commands()).endsWith("record 1#1", "ack 1#1");
    assertThat(it.worker.isDrained()).isTrue();
  }

  @Test
  void after_the_drain_gave_up_what_cannot_be_recorded_is_let_go_in_silence() {
    it.deliverUncompleted(1, 1, 2);
    it.worker.drain(DRAIN, it.now());
    it.pass(DRAIN);
    it.commands();
    it.done(1);
    it.tick();
    it.recordingFails();
    it.tick();
    it.done(2);
    it.passSeconds(1);

    assertThat(it.commands()).containsExactly("record 1#1", "record 2#1");
    assertThat(it.worker.isDrained()).isTrue();
  }

  @Test
  void an_unanswered_look_up_is_returned_when_the_drain_gives_up() {
    it.deliver(1);
    it.tick();
    it.worker.drain(DRAIN, it.now());
    it.pass(DRAIN);
    assertThat(it.commands()).containsExactly("completed? 1#1", "nak 1#1");

    it.lookedUp(1);
    assertThat(it.commands()).isEmpty();
    assertThat(it.worker.isDrained()).isTrue();
  }

  @Test
  void a_dying_message_that_is_looked_up_is_returned_when_the_drain_gives_up() {
    it.deliverUncompleted(1, 1);
    it.reject(1);
    it.tick();
    it.worker.drain(DRAIN, it.now());
    it.pass(DRAIN);

    assertThat(it.commands()).endsWith("completed? 1#1", "nak 1#1");
    it.lookedUp();
    assertThat(it.commands()).isEmpty();
  }

  @Test
  void a_success_that_is_being_noted_when_the_drain_gives_up_is_recorded() {
    SteppedWorker last =
        SteppedWorker.withLedger(
            WorkerPolicy.defaults(4).withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(1)));
    last.deliverUncompleted(1, 1);
    last.noteStored(1);
    last.done(1);
    last.notesFail(1);
    last.commands();
    last.worker.drain(DRAIN, last.now());
    last.pass(DRAIN);
    last.tick();

    assertThat(last.commands()).endsWith("record 1#1");
    last.recorded();
    assertThat(last.commands()).containsExactly("ack 1#1");
    assertThat(last.worker.isDrained()).isTrue();
  }
}
