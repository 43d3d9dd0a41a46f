package dev.contrail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** How many messages the worker asks for, and when. It starts with twice the concurrency of 4. */
class PullTest {
  private static final WorkerPolicy POLICY = WorkerPolicy.defaults(4).withWindow(100);

  private SteppedWorker it = new SteppedWorker(POLICY);

  private List<Integer> pulls() {
    it.tick();
    return it.port.pulls();
  }

  private static long[] sequences(long from, long to) {
    return LongStream.rangeClosed(from, to).toArray();
  }

  @Test
  void nothing_is_pulled_before_the_consumer_is_there_and_after_it_is_gone() {
    it.passSeconds(60);
    assertThat(pulls()).isEmpty();

    it.consumerReady();
    assertThat(pulls()).containsExactly(8);

    it.worker.consumerGone();
    it.deliver(1, 2, 3, 4, 5, 6, 7, 8);
    it.done(1, 2, 3, 4, 5, 6, 7, 8);
    it.passSeconds(60);
    assertThat(pulls()).isEmpty();
  }

  @Test
  void a_lost_connection_takes_the_pulls_with_it() {
    it.consumerReady();
    assertThat(pulls()).containsExactly(8);

    it.worker.disconnected();
    assertThat(pulls()).isEmpty();
    it.consumerReady();
    assertThat(pulls()).containsExactly(8);
  }

  @Test
  void when_the_ledger_objects_the_pulls_under_way_are_ended_and_what_comes_is_still_worked() {
    it.consumerReady();
    pulls();
    it.worker.ledgerObjects(true);
    it.worker.ledgerObjects(true);
    assertThat(it.port.timesPullsEnded()).isEqualTo(1);
    it.deliver(1);
    it.done(1);
    assertThat(it.commands()).containsExactly("run 1#1", "ack 1#1");
    assertThat(pulls()).isEmpty();

    it.worker.ledgerObjects(false);
    assertThat(pulls()).containsExactly(8);
  }

  @Test
  void at_first_twice_as_many_as_handlers_run_are_pulled_but_not_more_than_the_window() {
    it.consumerReady();
    assertThat(pulls()).containsExactly(8);

    it = new SteppedWorker(POLICY.withWindow(5));
    it.consumerReady();
    assertThat(pulls()).containsExactly(5);
  }

  @Test
  void a_consumer_that_takes_no_large_pulls_gets_several_small_ones() {
    it.worker.mostPerPull(3, Long.MAX_VALUE);
    it.consumerReady();
    for (int tick = 0; tick < 5; tick++) {
      it.tick();
    }

    assertThat(it.port.pulls()).containsExactly(3, 3, 2);
  }

  @Test
  void what_is_owed_and_what_is_held_is_not_pulled_again() {
    it.consumerReady();
    assertThat(pulls()).containsExactly(8);
    assertThat(pulls()).isEmpty();
    it.deliver(1, 2, 3, 4, 5, 6);
    assertThat(pulls()).as("6 held, 2 owed").isEmpty();
    it.deliver(7, 8);
    assertThat(pulls()).as("8 held").isEmpty();
  }

  @Test
  void while_a_pull_is_under_way_the_next_waits_until_a_quarter_is_free() {
    it.consumerReady();
    pulls();
    it.deliver(1, 2, 3, 4);
    it.done(1);
    assertThat(pulls()).as("3 held, 4 owed, 1 free").isEmpty();
    it.done(2);
    assertThat(pulls()).as("2 held, 4 owed, 2 free").containsExactly(2);
  }

  @Test
  void when_nothing_is_owed_whatever_is_free_is_pulled() {
    it.consumerReady();
    pulls();
    it.deliver(1, 2, 3, 4, 5, 6, 7, 8);
    it.done(1);

    assertThat(pulls()).containsExactly(1);
  }

  @Test
  void a_pull_that_ended_owes_nothing() {
    it.consumerReady();
    pulls();
    it.deliver(1);
    it.worker.pullEnded(it.port.lastPull(), it.now());
    assertThat(pulls()).containsExactly(7);

    it.worker.pullEnded(99, it.now());
    assertThat(pulls()).as("an unknown pull ends nothing").isEmpty();
  }

  @Test
  void a_pull_whose_end_is_not_heard_owes_nothing_after_its_time() {
    it.consumerReady();
    pulls();
    it.passSeconds(21);
    assertThat(it.port.pulls()).isEmpty();

    it.pass(Duration.ofMillis(1));
    assertThat(it.port.pulls()).containsExactly(8);
    assertThat(it.events()).isEmpty();
  }

  @Test
  void when_the_server_is_silent_the_pulls_are_given_up_and_made_anew() {
    it.consumerReady();
    pulls();
    it.serverAlive = false;
    it.passSeconds(10);
    assertThat(it.events()).isEmpty();
    it.pass(Duration.ofMillis(1));

    assertThat(it.events()).containsExactly("PullsStalled");
    assertThat(it.port.pulls()).containsExactly(8);
  }

  @Test
  void a_heartbeat_a_delivery_and_the_end_of_a_pull_are_signs_of_life() {
    it.consumerReady();
    pulls();
    it.serverAlive = false;
    it.passSeconds(9);
    it.worker.heartbeat(it.now());
    it.passSeconds(5);
    it.deliver(1);
    it.passSeconds(5);
    it.done(1);
    it.pass(Duration.ofSeconds(3));

    assertThat(it.events()).isEmpty();
  }

  @Test
  void a_process_that_did_not_listen_does_not_blame_the_server() {
    it.consumerReady();
    pulls();
    it.serverAlive = false;
    it.step(Duration.ofSeconds(10).plusMillis(1));
    assertThat(it.events()).containsExactly("stood still for 10s1ms");
    it.worker.echoed(1);
    assertThat(pulls()).isEmpty();

    it.passSeconds(10);
    assertThat(it.events()).as("but from then on it listens").isEmpty();
    it.pass(Duration.ofMillis(1));
    assertThat(it.events()).containsExactly("PullsStalled");
  }

  @Test
  void silence_while_nothing_is_pulled_means_nothing() {
    it.serverAlive = false;
    it.passSeconds(60);
    it.consumerReady();
    assertThat(pulls()).containsExactly(8);
    it.passSeconds(9);

    assertThat(it.events()).isEmpty();
  }

  @Test
  void more_is_held_the_more_is_settled_in_a_second() {
    it = new SteppedWorker(POLICY.withWindow(1_000));
    it.consumerReady();
    long sequence = 0;
    for (int i = 0; i < 60; i++) {
      it.pass(Duration.ofMillis(50));
      for (int j = 0; j < 5; j++) {
        it.deliver(++sequence);
        it.done(sequence);
      }
      it.port.pulls();
    }
    it.worker.pullEnded(it.port.lastPull(), it.now());
    it.worker.disconnected();
    it.consumerReady();

    it.pass(Duration.ofMillis(50));
    assertThat(it.port.pulls()).as("5 in each 50 ms are 100 in a second").containsExactly(100);
  }

  @Test
  void the_window_is_never_exceeded_however_fast_it_goes() {
    it.consumerReady();
    long sequence = 0;
    long held = 0;
    for (int i = 0; i < 2_000; i++) {
      it.pass(Duration.ofMillis(10));
      for (int batch : it.port.pulls()) {
        long first = sequence + 1;
        sequence += batch;
        it.deliver(sequences(first, sequence));
      }
      held = Math.max(held, it.status().inFlight());
      if (i % 3 == 0) {
        long done = sequence - it.status().inFlight();
        it.done(sequences(done + 1, sequence));
      }
    }

    assertThat(held).isEqualTo(100);
    assertThat(sequence).isGreaterThan(10_000);
  }

  @Test
  void those_held_for_a_store_make_room_for_others_up_to_half_the_window() {
    it.consumerReady();
    pulls();
    long[] dying = sequences(1, 8);
    it.deliver(dying);
    it.reject(dying);
    it.deadLettersFail(dying);
    assertThat(pulls()).as("8 held for the store, 8 for the handlers").containsExactly(8);

    for (long sequence = 9; sequence < 50; sequence++) {
      it.deliver(sequence);
      it.reject(sequence);
    }
    it.worker.pullEnded(it.port.lastPull(), it.now());
    assertThat(pulls()).as("49 wait").isNotEmpty();
    it.deliver(50);
    it.reject(50);
    it.worker.pullEnded(it.port.lastPull(), it.now());
    assertThat(pulls()).as("50 wait").isEmpty();
    it.pass(Duration.ofMinutes(10));
    assertThat(it.port.pulls()).isEmpty();
  }

  @Test
  void the_room_made_for_others_ends_with_the_window() {
    it = new SteppedWorker(POLICY.withWindow(10));
    it.consumerReady();
    pulls();
    it.deliver(1, 2, 3, 4);
    it.reject(1, 2, 3, 4);
    it.deadLettersFail(1, 2, 3, 4);
    it.worker.pullEnded(it.port.lastPull(), it.now());

    assertThat(pulls()).as("4 held for the store, 6 of 8 for the handlers").containsExactly(6);
  }

  @Test
  void a_window_of_one_works() {
    it = new SteppedWorker(POLICY.withWindow(1));
    it.consumerReady();
    for (long sequence = 1; sequence <= 3; sequence++) {
      assertThat(pulls()).containsExactly(1);
      it.deliver(sequence);
      assertThat(pulls()).isEmpty();
      it.done(sequence);
    }
  }
}
