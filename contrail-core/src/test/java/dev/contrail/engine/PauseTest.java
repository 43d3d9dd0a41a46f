package dev.contrail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A paused worker starts and takes in nothing, and keeps what it holds. */
class PauseTest {
  private final SteppedWorker it = new SteppedWorker(WorkerPolicy.defaults(4));

  @Test
  void what_runs_when_it_is_paused_is_finished() {
    it.deliver(1);
    it.worker.pause();
    it.done(1);

    assertThat(it.commands()).containsExactly("run 1#1", "ack 1#1");
  }

  @Test
  void what_waits_for_a_thread_is_held_and_runs_after_the_pause() {
    it.port.threadsBusy = true;
    it.deliver(1, 2);
    it.commands();
    it.worker.pause();
    assertThat(it.commands()).containsExactlyInAnyOrder("recall 1#1", "recall 2#1");
    it.pass(Duration.ofHours(1));
    assertThat(it.commands()).isEmpty();

    it.worker.resume();
    it.tick();
    assertThat(it.commands()).containsExactlyInAnyOrder("run 1#1", "run 2#1");
    assertThat(it.events()).as("no lease was lost").isEmpty();
  }

  @Test
  void nothing_is_pulled_until_it_is_resumed() {
    it.worker.pause();
    it.consumerReady();
    it.passSeconds(60);
    assertThat(it.port.pulls()).isEmpty();
    assertThat(it.status().paused()).isTrue();

    it.worker.resume();
    it.tick();
    assertThat(it.port.pulls()).hasSize(1);
    assertThat(it.status().paused()).isFalse();
  }

  @Test
  void the_pulls_under_way_are_ended_and_made_anew_when_it_is_resumed() {
    it.consumerReady();
    it.tick();
    assertThat(it.port.pulls()).containsExactly(8);

    it.worker.pause();
    it.worker.pause();
    assertThat(it.port.timesPullsEnded()).isEqualTo(1);

    it.worker.resume();
    it.tick();
    assertThat(it.port.pulls()).as("nothing is owed any more").containsExactly(8);
  }

  @Test
  void what_the_server_had_sent_by_then_is_given_back_at_once() {
    it.worker.pause();
    it.deliver(1);
    it.deliverAs(2, 2);

    assertThat(it.commands()).containsExactly("nak 1#1", "nak 2#2");
    assertThat(it.status().inFlight()).isZero();
    assertThat(it.status().counts().givenBack()).isEqualTo(2);
  }

  @Test
  void what_it_holds_and_is_delivered_once_more_is_kept() {
    it.port.threadsBusy = true;
    it.deliver(1);
    it.pauseBeforeTheyBegin();
    it.deliverAs(2, 1);
    assertThat(it.commands()).isEmpty();

    it.worker.resume();
    it.tick();
    assertThat(it.commands()).containsExactly("run 1#2");
  }

  @Test
  void a_look_up_answered_during_the_pause_starts_nothing() {
    it.deliverAs(2, 1);
    it.worker.pause();
    it.noDeadLetter(1);
    it.passSeconds(60);
    assertThat(it.commands()).containsExactly("look up 1#2");

    it.worker.resume();
    it.tick();
    assertThat(it.commands()).containsExactly("run 1#2");
  }

  @Test
  void what_dies_during_the_pause_is_buried() {
    it.deliver(1);
    it.worker.pause();
    it.reject(1);
    it.buried(1);

    assertThat(it.commands())
        .containsExactly("run 1#1", "bury 1#1: rejected, unwanted 1", "term 1#1");
  }
}
