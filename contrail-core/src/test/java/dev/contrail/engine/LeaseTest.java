package dev.contrail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Leases are extended while a message is held, and a lost one is answered with silence. */
class LeaseTest {
  private static final Duration MOMENT = Duration.ofMillis(1);

  private final SteppedWorker it = new SteppedWorker(WorkerPolicy.defaults(4));

  // Extension.

  @Test
  void a_running_message_is_extended_every_third_of_ack_wait() {
    it.extensionsArrive = false;
    it.deliver(1);
    it.pass(SteppedWorker.THIRD.minus(MOMENT));
    assertThat(extended()).isEmpty();

    it.pass(MOMENT);
    assertThat(extended()).containsExactly("1#1");
    it.pass(SteppedWorker.THIRD.minus(MOMENT));
    assertThat(extended()).isEmpty();
    it.pass(MOMENT);
    assertThat(extended()).containsExactly("1#1");
  }

  @Test
  void queued_running_checked_dying_and_noted_messages_are_all_extended_together() {
    it.deliver(1);
    it.port.threadsBusy = true;
    it.deliver(2);
    it.deliverAs(2, 3);
    it.port.threadsBusy = false;
    it.deliver(4);
    it.reject(4);
    it.deliverAs(100, 5, 6);
    it.noDeadLetter(5);
    it.noDeadLetter(6);
    assertThat(List.of(1, 2, 3, 4, 5).stream().map(it::message).map(InFlight::state))
        .containsExactly(
            DeliveryState.RUNNING,
            DeliveryState.RUNNING,
            DeliveryState.CHECKING,
            DeliveryState.BURYING,
            DeliveryState.STARTING);

    it.extensionsArrive = false;
    it.pass(SteppedWorker.THIRD);

    assertThat(extended()).containsExactly("1#1", "2#1", "3#2", "4#1", "5#100", "6#100");
  }

  @Test
  void a_handler_that_takes_many_times_ack_wait_keeps_its_message() {
    it.deliver(1);
    it.pass(Duration.ofMinutes(9));
    it.done(1);

    assertThat(it.commands()).containsExactly("run 1#1", "ack 1#1");
    assertThat(it.events()).isEmpty();
  }

  @Test
  void what_is_settled_is_no_longer_extended() {
    it.deliver(1, 2, 3);
    it.done(1, 3);
    it.extensionsArrive = false;
    it.pass(SteppedWorker.THIRD);

    assertThat(extended()).containsExactly("2#1");
  }

  @Test
  void a_lease_counts_from_when_the_extension_was_sent_and_not_from_its_answer() {
    it.extensionsArrive = false;
    it.deliver(1);
    it.pass(SteppedWorker.THIRD);
    RecordingPort.Extension first = it.port.extensions().get(0);
    it.pass(SteppedWorker.THIRD);
    confirm(first);
    assertThat(it.message(1).leaseUntilNanos())
        .isEqualTo(first.sentNanos() + SteppedWorker.ACK_WAIT.toNanos());
  }

  @Test
  void an_answer_that_takes_long_still_counts() {
    // One message each 100 ms, so that a batch falls due each 100 ms, answered after 9 s.
    SteppedWorker busy = new SteppedWorker(WorkerPolicy.defaults(4));
    busy.extensionsArrive = false;
    for (int sequence = 1; sequence <= 200; sequence++) {
      busy.deliver(sequence);
      busy.pass(Duration.ofMillis(100));
    }
    List<RecordingPort.Extension> unanswered = busy.port.extensions();
    for (RecordingPort.Extension extension : unanswered) {
      busy.port.referee.extended(extension.deliveries(), extension.sentNanos());
      busy.worker.leasesExtended(extension.token());
    }
    busy.extensionsArrive = true;
    busy.pass(Duration.ofMinutes(1));

    assertThat(busy.events()).isEmpty();
    assertThat(busy.status().inFlight()).isEqualTo(200);
  }

  @Test
  void a_shorter_ack_wait_is_kept_from_when_it_is_known() {
    it.deliver(1);
    it.pass(SteppedWorker.THIRD);
    it.worker.consumerReady(Duration.ofSeconds(3), Optional.empty());
    it.port.referee.ackWait(Duration.ofSeconds(3).toNanos());
    it.deliver(2);
    it.extensionsArrive = false;
    it.pass(Duration.ofMillis(999));
    assertThat(extended()).isEmpty();
    it.pass(MOMENT);
    assertThat(extended()).containsExactly("1#1", "2#1");
    it.passSeconds(3);
    assertThat(it.events()).contains("lease lost 1#1", "lease lost 2#1");
  }

  // Loss.

  @Test
  void a_lease_stands_until_ack_wait_has_passed_since_the_extension_was_sent() {
    it.deliver(1, 2);
    it.pass(SteppedWorker.THIRD);
    it.extensionsArrive = false;
    it.pass(SteppedWorker.ACK_WAIT);
    it.done(1);
    it.step(MOMENT);
    it.done(2);

    assertThat(it.commands()).containsExactly("run 1#1", "run 2#1", "ack 1#1");
    assertThat(it.events()).containsExactly("lease lost 2#1");
  }

  @Test
  void before_the_first_extension_a_quarter_less_for_it_may_have_been_under_way_that_long() {
    it.extensionsArrive = false;
    it.deliver(1, 2);
    it.pass(SteppedWorker.ACK_WAIT.multipliedBy(3).dividedBy(4));
    it.done(1);
    it.step(MOMENT);
    it.done(2);

    assertThat(it.commands()).containsExactly("run 1#1", "run 2#1", "ack 1#1");
    assertThat(it.events()).containsExactly("lease lost 2#1");
  }

  @Test
  void after_a_lost_lease_nothing_is_sent_whatever_becomes_of_the_message() {
    it.extensionsArrive = false;
    it.deliver(1, 2, 3, 4, 5);
    it.deliverAs(2, 6);
    it.reject(5);
    it.commands();
    it.pass(SteppedWorker.ACK_WAIT.plusSeconds(10));
    it.port.extensions();

    it.done(1);
    it.fail(2);
    it.reject(3);
    it.failTransiently(4, Duration.ZERO);
    it.buried(5);
    it.noDeadLetter(6);
    it.pass(Duration.ofMinutes(5));

    assertThat(it.commands()).isEmpty();
    assertThat(extended()).isEmpty();
    assertThat(it.status().inFlight()).isZero();
    assertThat(it.status().counts().lost()).isEqualTo(6);
  }

  @Test
  void a_late_confirmation_does_not_bring_a_lost_lease_back() {
    it.extensionsArrive = false;
    it.deliver(1);
    it.pass(SteppedWorker.ACK_WAIT);
    List<RecordingPort.Extension> late = it.port.extensions();
    it.passSeconds(10);
    it.commands();

    late.forEach(extension -> it.worker.leasesExtended(extension.token()));
    it.done(1);

    assertThat(it.commands()).isEmpty();
  }

  @Test
  void what_still_waits_for_a_thread_when_its_lease_is_lost_is_not_run() {
    it.extensionsArrive = false;
    it.port.threadsBusy = true;
    it.deliver(1);
    it.commands();
    it.pass(SteppedWorker.ACK_WAIT.plusSeconds(10));

    assertThat(it.commands()).containsExactly("recall 1#1");
    assertThat(it.status().inFlight()).isZero();
  }

  @Test
  void what_becomes_ready_after_its_lease_was_lost_is_not_run() {
    it.port.threadsBusy = true;
    it.deliver(1);
    it.pauseBeforeTheyBegin();
    it.extensionsArrive = false;
    it.step(SteppedWorker.ACK_WAIT.multipliedBy(3).dividedBy(4));
    assertThat(it.status().inFlight()).isEqualTo(1);
    it.worker.resume();
    it.step(MOMENT);

    assertThat(it.commands()).doesNotContain("run 1#1");
    assertThat(it.events()).contains("lease lost 1#1");
  }

  // A message that is delivered here again.

  @Test
  void a_redelivery_of_what_runs_is_not_run_beside_it_and_gets_its_outcome() {
    it.deliver(1);
    it.deliverAs(2, 1);
    it.done(1);

    assertThat(it.commands()).containsExactly("run 1#1", "ack 1#2");
  }

  @Test
  void a_redelivery_of_what_runs_without_a_lease_gets_its_outcome() {
    it.extensionsArrive = false;
    it.deliver(1);
    it.pass(SteppedWorker.ACK_WAIT.plusSeconds(10));
    assertThat(it.message(1).state()).isEqualTo(DeliveryState.UNLEASED);

    it.deliverAs(3, 1);
    it.fail(1);

    assertThat(it.commands()).containsExactly("run 1#1", "nak 1#3 in 2s");
  }

  @Test
  void a_redelivery_of_what_runs_without_a_lease_is_extended_again() {
    it.extensionsArrive = false;
    it.deliver(1);
    it.pass(SteppedWorker.ACK_WAIT.plusSeconds(10));
    it.port.extensions();
    it.deliverAs(2, 1);
    it.pass(SteppedWorker.THIRD);

    assertThat(extended()).containsExactly("1#2");
  }

  @Test
  void a_redelivery_of_what_waits_for_a_thread_is_not_queued_twice() {
    it.port.threadsBusy = true;
    it.deliver(1);
    it.deliverAs(2, 1);
    it.begin(1);
    it.done(1);

    assertThat(it.commands()).containsExactly("run 1#1", "ack 1#2");
  }

  @Test
  void a_redelivery_of_what_is_ready_is_run_once() {
    it.port.threadsBusy = true;
    it.deliver(1);
    it.pauseBeforeTheyBegin();
    it.deliverAs(2, 1);
    it.worker.resume();
    it.tick();
    it.done(1);

    assertThat(it.commands()).containsExactly("run 1#2", "ack 1#2");
  }

  @Test
  void a_redelivery_of_what_is_dying_is_terminated() {
    it.deliver(1);
    it.reject(1);
    it.deliverAs(2, 1);
    it.buried(1);

    assertThat(it.commands())
        .containsExactly("run 1#1", "bury 1#1: rejected, unwanted 1", "term 1#2");
  }

  @Test
  void a_redelivery_of_what_is_looked_up_waits_for_the_same_answer() {
    it.deliverAs(2, 1);
    it.deliverAs(3, 1);
    it.noDeadLetter(1);

    assertThat(it.commands()).containsExactly("look up 1#2", "run 1#3");
  }

  @Test
  void what_another_worker_held_while_it_waited_here_is_looked_up_again() {
    it.port.threadsBusy = true;
    it.deliver(1);
    it.pauseBeforeTheyBegin();
    it.worker.resume();
    it.deliverAs(3, 1);
    assertThat(it.commands()).containsExactly("look up 1#3");
    it.deadLetterFound(1);

    assertThat(it.commands()).containsExactly("term 1#3");
  }

  @Test
  void an_answer_for_a_lost_delivery_is_not_taken_for_one_of_the_next() {
    it.extensionsArrive = false;
    it.deliverAs(2, 1);
    InFlight<String> lost = it.message(1);
    it.pass(SteppedWorker.ACK_WAIT.plusSeconds(10));
    it.deliverAs(3, 1);
    it.commands();

    it.worker.deadLetterChecked(lost, false, it.now());
    assertThat(it.commands()).isEmpty();
    it.noDeadLetter(1);
    assertThat(it.commands()).containsExactly("run 1#3");
  }

  private List<String> extended() {
    return it.port.extensions().stream()
        .flatMap(extension -> extension.deliveries().stream())
        .toList();
  }

  private void confirm(RecordingPort.Extension extension) {
    it.port.referee.extended(extension.deliveries(), extension.sentNanos());
    it.worker.leasesExtended(extension.token());
  }
}
