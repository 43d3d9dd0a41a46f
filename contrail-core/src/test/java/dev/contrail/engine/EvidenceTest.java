package dev.contrail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.policy.RetryPolicy;
import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Evidence comes before the terminal act, and a store that is down kills and returns nothing. */
class EvidenceTest {
  private final SteppedWorker it = new SteppedWorker(WorkerPolicy.defaults(4));

  @Test
  void a_message_that_succeeds_is_acked() {
    it.deliver(1);
    it.done(1);

    assertThat(it.commands()).containsExactly("run 1#1", "ack 1#1");
    assertThat(it.events()).isEmpty();
    assertThat(it.status().inFlight()).isZero();
  }

  @Test
  void a_rejected_message_is_terminated_only_when_its_evidence_is_stored() {
    it.deliver(1);
    it.reject(1);
    assertThat(it.commands()).containsExactly("run 1#1", "bury 1#1: rejected, unwanted 1");

    it.pass(Duration.ofMinutes(10));
    assertThat(it.commands()).isEmpty();

    it.buried(1);
    assertThat(it.commands()).containsExactly("term 1#1");
    assertThat(it.events()).containsExactly("dead 1#1");
    assertThat(it.status().counts().dead()).isEqualTo(1);
  }

  @Test
  void an_unclassified_failure_backs_off_until_the_limit_and_then_dies() {
    SteppedWorker three = new SteppedWorker(limit(3));
    three.deliverAs(1, 1);
    three.fail(1);
    three.deliverAs(2, 1);
    three.fail(1);
    assertThat(three.commands())
        .containsExactly("run 1#1", "nak 1#1 in 500ms", "run 1#2", "nak 1#2 in 1s");
    assertThat(three.events()).containsExactly("retrying 1#1 in 500ms", "retrying 1#2 in 1s");

    three.deliverAs(3, 1);
    three.noteStored(1);
    three.fail(1);
    three.buried(1);

    assertThat(three.commands())
        .containsExactly(
            "note 1#3: started-alone 3", "run 1#3", "bury 1#3: delivery-limit, boom 1", "term 1#3");
  }

  @Test
  void an_undecodable_payload_is_returned_three_times_and_dies_on_the_fourth_delivery() {
    for (int count = 1; count <= 4; count++) {
      it.deliverAs(count, 1);
      it.failToDecode(1);
    }

    assertThat(it.commands())
        .containsExactly(
            "run 1#1", "nak 1#1 in 5s",
            "run 1#2", "nak 1#2 in 5s",
            "run 1#3", "nak 1#3 in 5s",
            "run 1#4", "bury 1#4: undecodable, garbled 1");
  }

  @Test
  void a_retry_intent_keeps_its_delay() {
    it.deliver(1);
    it.failTransiently(1, Duration.ofSeconds(42));
    it.deliver(2);
    it.failTransiently(2, Duration.ofHours(5));

    assertThat(it.commands())
        .containsExactly("run 1#1", "nak 1#1 in 42s", "run 2#1", "nak 2#1 in 1h");
    assertThat(it.events()).containsExactly("retrying 1#1 in 42s", "retrying 2#1 in 1h, shortened");
  }

  @Test
  void a_message_that_its_stream_would_expire_before_the_retry_dies_now() {
    it.worker.consumerReady(SteppedWorker.ACK_WAIT, Optional.of(Duration.ofHours(1)));
    it.deliverAged(Duration.ofMinutes(50), 1, 1);
    it.failTransiently(1, Duration.ofMinutes(9));
    it.deliverAged(Duration.ofMinutes(50), 1, 2);
    it.failTransiently(2, Duration.ofMinutes(11));

    assertThat(it.commands())
        .containsExactly(
            "run 1#1", "nak 1#1 in 9m", "run 2#1", "bury 2#1: expiring, retry after PT11M");
  }

  @Test
  void the_retry_window_counts_from_when_this_worker_first_saw_the_message_fail() {
    SteppedWorker one = new SteppedWorker(limit(1));
    one.deliverAged(Duration.ofDays(3), 1, 1);
    one.noteStored(1);
    one.failTransiently(1, Duration.ofHours(1));
    one.noteStored(1);
    one.commands();
    one.pass(Duration.ofHours(24).minusSeconds(1));
    one.deliverAged(Duration.ofDays(4), 2, 1);
    one.noteStored(1);
    one.failTransiently(1, Duration.ofHours(1));
    one.noteStored(1);
    assertThat(one.commands()).contains("nak 1#2 in 1h");

    one.pass(Duration.ofSeconds(1));
    one.deliverAged(Duration.ofDays(4), 3, 1);
    one.noteStored(1);
    one.failTransiently(1, Duration.ofHours(1));

    assertThat(one.commands()).contains("bury 1#3: delivery-limit, retry after PT1H");
  }

  @Test
  void a_redelivered_message_that_is_already_dead_is_terminated_unrun() {
    it.deliverAs(2, 1);
    assertThat(it.commands()).containsExactly("look up 1#2");

    it.deadLetterFound(1);

    assertThat(it.commands()).containsExactly("term 1#2");
    assertThat(it.events()).containsExactly("already dead 1#2");
    assertThat(it.status().counts().alreadyDead()).isEqualTo(1);
    assertThat(it.status().counts().dead()).isZero();
  }

  @Test
  void a_redelivered_message_that_is_not_dead_runs() {
    it.deliverAs(2, 1);
    it.noDeadLetter(1);

    assertThat(it.commands()).containsExactly("look up 1#2", "run 1#2");
  }

  @Test
  void a_first_delivery_is_not_looked_up() {
    it.deliver(1);

    assertThat(it.commands()).containsExactly("run 1#1");
  }

  @Test
  void a_message_that_comes_straight_back_after_our_own_nak_is_not_looked_up() {
    it.deliver(1);
    it.fail(1);
    it.commands();

    it.deliverAs(2, 1);
    assertThat(it.commands()).containsExactly("run 1#2");
  }

  @Test
  void a_message_that_another_worker_held_since_our_nak_is_looked_up() {
    it.deliver(1);
    it.fail(1);
    it.commands();

    it.deliverAs(3, 1);
    assertThat(it.commands()).containsExactly("look up 1#3");
  }

  @Test
  void a_message_that_dies_while_the_store_is_down_is_held_under_its_lease_and_not_returned() {
    it.deliver(1);
    it.reject(1);
    it.deadLettersFail(1);
    it.commands();
    assertThat(it.events()).containsExactly("DEAD_LETTERS down: full");

    for (int i = 0; i < 400; i++) {
      it.passSeconds(3);
      it.commands().forEach(this::failAgain);
    }

    assertThat(it.status().held()).isEqualTo(1);
    assertThat(it.status().counts().retried()).isZero();
    assertThat(it.events()).as("told once, and no lease was lost").isEmpty();
  }

  private void failAgain(String command) {
    assertThat(command).isEqualTo("bury 1#1: rejected, unwanted 1");
    it.deadLettersFail(1);
  }

  @Test
  void the_store_is_tried_again_after_1_s_2_s_and_so_on_up_to_30_s() {
    it.deliver(1);
    it.reject(1);
    it.deadLettersFail(1);
    it.commands();

    for (int wait : new int[] {1, 2, 4, 8, 16, 30, 30, 30}) {
      it.pass(Duration.ofSeconds(wait).minusMillis(1));
      assertThat(it.commands()).as("before %s s", wait).isEmpty();
      it.pass(Duration.ofMillis(1));
      assertThat(it.commands()).as("after %s s", wait).containsExactly(burial(1));
      it.deadLettersFail(1);
    }
  }

  @Test
  void the_store_is_tried_with_one_message_at_a_time_and_a_different_one_each_time() {
    it.deliver(1, 2, 3);
    it.reject(1, 2, 3);
    it.deadLettersFail(1, 2, 3);
    it.commands();

    for (long probe : new long[] {1, 2, 3, 1}) {
      it.passSeconds(30);
      assertThat(it.commands()).containsExactly(burial(probe));
      it.passSeconds(60);
      assertThat(it.commands()).as("while it has no answer").isEmpty();
      it.deadLettersFail(probe);
    }
  }

  @Test
  void the_first_success_releases_all_that_wait() {
    it.deliver(1, 2, 3);
    it.reject(1, 2, 3);
    it.deadLettersFail(1, 2, 3);
    it.passSeconds(1);
    it.commands();
    it.events();

    it.buried(1);

    assertThat(it.commands()).containsExactly(burial(2), burial(3), "term 1#1");
    assertThat(it.events()).containsExactly("DEAD_LETTERS back", "dead 1#1");
    it.buried(2, 3);
    assertThat(it.commands()).containsExactly("term 2#1", "term 3#1");
    assertThat(it.status().held()).isZero();
  }

  @Test
  void what_dies_while_the_store_is_down_waits_without_asking_it() {
    it.deliver(1, 2);
    it.reject(1);
    it.deadLettersFail(1);
    it.commands();

    it.reject(2);
    assertThat(it.commands()).isEmpty();
    assertThat(it.status().held()).isEqualTo(2);
  }

  @Test
  void a_store_that_reads_but_does_not_write_stays_down_for_those_who_write() {
    it.deliver(1, 2);
    it.reject(1, 2);
    it.deadLettersFail(1, 2);
    it.commands();

    it.deliverAs(2, 3);
    assertThat(it.commands())
        .as("a look-up does not wait for a full store")
        .contains("look up 3#2");
    it.noDeadLetter(3);
    assertThat(it.commands()).as("nor does it make it less full").containsExactly("run 3#2");
  }

  @Test
  void a_look_up_that_fails_is_repeated_and_the_message_does_not_run_before() {
    it.deliverAs(2, 1);
    it.deadLettersFail(1);
    it.commands();

    it.passSeconds(1);
    assertThat(it.commands()).containsExactly("look up 1#2");
    it.noDeadLetter(1);
    assertThat(it.commands()).containsExactly("run 1#2");
  }

  @Test
  void healthy_work_goes_on_while_the_dead_letter_store_is_down() {
    it.deliver(1);
    it.reject(1);
    it.deadLettersFail(1);
    it.commands();

    it.deliver(2);
    it.done(2);
    assertThat(it.commands()).containsExactly("run 2#1", "ack 2#1");
  }

  @Test
  void a_message_whose_lease_is_lost_while_it_dies_is_not_terminated() {
    it.extensionsArrive = false;
    it.deliver(1);
    it.reject(1);
    InFlight<String> message = it.message(1);
    it.commands();
    it.pass(SteppedWorker.ACK_WAIT.plusMillis(1));

    it.buried(message);

    assertThat(it.commands()).isEmpty();
    assertThat(it.events()).contains("lease lost 1#1");
  }

  @Test
  void five_hundred_that_die_while_the_store_is_down_all_die_when_it_is_back() {
    long[] all = LongStream.rangeClosed(1, 500).toArray();
    it.deliver(all);
    it.reject(all);
    failAllThatWereAsked();
    for (int i = 0; i < 10; i++) {
      it.passSeconds(3);
      failAllThatWereAsked();
    }
    it.passSeconds(30);

    for (List<Long> asked = burials(); !asked.isEmpty(); asked = burials()) {
      asked.forEach(it::buried);
    }

    assertThat(it.status().counts()).isEqualTo(new WorkerCounts(500, 0, 0, 0, 500, 0, 0, 0));
  }

  private void failAllThatWereAsked() {
    burials().forEach(it::deadLettersFail);
  }

  private List<Long> burials() {
    return it.commands().stream()
        .filter(command -> command.startsWith("bury"))
        .map(command -> Long.parseLong(command.replaceAll("bury (\\d+)#.*", "$1")))
        .toList();
  }

  private static String burial(long sequence) {
    return "bury " + sequence + "#1: rejected, unwanted " + sequence;
  }

  private static WorkerPolicy limit(long limit) {
    return WorkerPolicy.defaults(4).withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(limit));
  }
}
