package dev.contrail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** After a standstill of the process nothing is taken that may be older than its lease. */
class StandstillTest {
  private static final Duration HALF = SteppedWorker.ACK_WAIT.dividedBy(2);

  private final SteppedWorker it = new SteppedWorker(WorkerPolicy.defaults(4));

  private void standStill() {
    it.step(HALF.plusMillis(1));
  }

  @Test
  void a_gap_of_more_than_half_of_ack_wait_is_a_standstill() {
    it.step(HALF);
    assertThat(it.commands()).isEmpty();

    standStill();
    assertThat(it.commands()).containsExactly("echo 1");
    assertThat(it.events()).containsExactly("stood still for 15s1ms");
  }

  @Test
  void deliveries_are_passed_over_in_silence_until_the_echo_comes() {
    standStill();
    it.deliver(1);
    it.deliverAs(5, 2);
    assertThat(it.commands()).containsExactly("echo 1");
    assertThat(it.status().counts().lost()).isEqualTo(2);

    it.worker.echoed(1);
    it.deliver(3);
    assertThat(it.commands()).containsExactly("run 3#1");
  }

  @Test
  void a_redelivery_of_what_runs_is_passed_over_too() {
    it.deliver(1);
    standStill();
    it.deliverAs(2, 1);
    it.done(1);

    assertThat(it.commands()).containsExactly("run 1#1", "echo 1", "ack 1#1");
  }

  @Test
  void an_echo_that_does_not_come_is_sent_again_and_each_of_them_will_do() {
    standStill();
    it.passSeconds(3);
    it.passSeconds(3);
    assertThat(it.commands()).containsExactly("echo 1", "echo 2", "echo 3");

    it.worker.echoed(1);
    it.deliver(1);
    assertThat(it.commands()).containsExactly("run 1#1");
  }

  @Test
  void an_echo_from_before_the_next_standstill_does_not_count() {
    standStill();
    standStill();
    assertThat(it.commands()).containsExactly("echo 1", "echo 2");
    it.worker.echoed(1);
    it.deliver(1);
    assertThat(it.commands()).isEmpty();

    it.worker.echoed(2);
    it.deliver(2);
    assertThat(it.commands()).containsExactly("run 2#1");
  }

  @Test
  void an_echo_that_never_comes_is_not_waited_for_for_ever() {
    standStill();
    it.passSeconds(30);
    it.deliver(1);
    assertThat(it.commands()).doesNotContain("run 1#1");

    it.passSeconds(3);
    it.deliver(2);
    assertThat(it.commands()).endsWith("run 2#1");
  }

  @Test
  void a_lost_connection_does_not_make_what_it_delivered_any_younger() {
    standStill();
    it.worker.disconnected();
    it.deliver(1);

    assertThat(it.commands()).containsExactly("echo 1");
  }

  @Test
  void nothing_is_pulled_before_the_echo_comes() {
    it.consumerReady();
    it.worker.pause();
    standStill();
    it.worker.resume();
    it.passSeconds(3);
    assertThat(it.port.pulls()).isEmpty();

    it.worker.echoed(1);
    it.tick();
    assertThat(it.port.pulls()).hasSize(1);
  }

  @Test
  void leases_that_did_not_outlast_the_standstill_are_lost_and_the_others_kept() {
    it.deliver(1);
    it.passSeconds(9);
    it.deliver(2);
    it.step(Duration.ofSeconds(22));
    it.done(1);
    it.done(2);

    assertThat(it.commands()).containsExactly("run 1#1", "run 2#1", "echo 1", "ack 2#1");
    assertThat(it.events()).contains("lease lost 1#1");
  }
}
