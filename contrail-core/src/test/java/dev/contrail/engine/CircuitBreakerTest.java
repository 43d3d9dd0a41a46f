package dev.contrail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.policy.BreakerPolicy;
import dev.contrail.policy.RetryPolicy;
import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** When nothing succeeds any more, messages are held and tried one by one. */
class CircuitBreakerTest {
  private static final BreakerPolicy THIRTY_SECONDS =
      new BreakerPolicy(Duration.ofSeconds(30), 3, Duration.ofSeconds(1));
  private static final WorkerPolicy POLICY =
      WorkerPolicy.defaults(8)
          .withWindow(6)
          .withBreaker(THIRTY_SECONDS)
          .withHandlerTimeout(Duration.ofMinutes(2));

  private SteppedWorker it = new SteppedWorker(POLICY);

  /** Opens it with three failures, the last after 30 s; messages 1, 2 and 3 are not held. */
  private void open() {
    it.deliver(1, 2, 3);
    it.fail(1, 2);
    it.passSeconds(30);
    it.fail(3);
    assertThat(it.status().breakerOpen()).isTrue();
    it.commands();
    it.events();
  }

  private long probed() {
    List<String> commands = it.commands();
    assertThat(commands).hasSize(1);
    assertThat(commands.get(0)).startsWith("run ");
    return Long.parseLong(commands.get(0).replaceAll("run (\\d+)#.*", "$1"));
  }

  // Opening.

  @Test
  void it_opens_when_nothing_succeeded_for_30_s_while_3_different_messages_failed() {
    it.deliver(1, 2, 3);
    it.fail(1, 2);
    it.passSeconds(29);
    assertThat(it.status().breakerOpen()).isFalse();

    it.passSeconds(1);
    it.fail(3);

    assertThat(it.status().breakerOpen()).isTrue();
    assertThat(it.events()).endsWith("breaker opened: boom 3");
  }

  @Test
  void it_is_time_that_opens_it_and_not_the_number_of_failures() {
    for (long sequence = 1; sequence <= 500; sequence++) {
      it.deliver(sequence);
      it.fail(sequence);
      it.pass(Duration.ofMillis(50));
    }

    assertThat(it.status().breakerOpen()).isFalse();
  }

  @Test
  void one_message_that_fails_again_and_again_does_not_open_it() {
    for (int count = 1; count <= 50; count++) {
      it.deliverAs(count, 7);
      it.fail(7);
      it.passSeconds(3);
    }

    assertThat(it.status().breakerOpen()).isFalse();
  }

  @Test
  void a_success_starts_the_time_anew() {
    it.deliver(1, 2, 3, 4, 5, 6);
    it.fail(1, 2);
    it.passSeconds(29);
    it.done(3);
    it.passSeconds(29);
    it.fail(4, 5, 6);
    assertThat(it.status().breakerOpen()).isFalse();
  }

  @Test
  void rejected_and_undecodable_messages_do_not_count() {
    it.deliver(1, 2, 3, 4);
    it.reject(1);
    it.failToDecode(2);
    it.fail(3);
    it.passSeconds(40);
    it.fail(4);

    assertThat(it.status().breakerOpen()).isFalse();
  }

  @Test
  void handlers_that_time_out_count() {
    it.deliver(1, 2, 3);
    it.pass(Duration.ofMinutes(2).plusSeconds(3));
    it.deliver(4);
    it.passSeconds(30);
    it.fail(4);

    assertThat(it.status().breakerOpen()).isTrue();
  }

  @Test
  void what_waits_for_a_thread_is_recalled_when_it_opens() {
    it.deliver(1, 2, 3);
    it.fail(1, 2);
    it.passSeconds(30);
    it.port.threadsBusy = true;
    it.deliver(4, 5);
    it.commands();
    it.fail(3);

    assertThat(it.commands()).containsExactlyInAnyOrder("recall 4#1", "recall 5#1");
    assertThat(it.status().held()).isEqualTo(3);
  }

  // While it is open.

  @Test
  void the_failure_that_opens_it_and_those_after_it_are_neither_returned_nor_counted() {
    it.deliver(1, 2, 3, 4);
    it.fail(1, 2);
    it.passSeconds(30);
    it.commands();

    it.fail(3);
    it.failTransiently(4, Duration.ofMillis(100));

    assertThat(it.commands()).isEmpty();
    assertThat(it.status().inFlight()).isEqualTo(2);
    assertThat(it.status().counts().retried()).isEqualTo(2);
  }

  @Test
  void one_message_a_second_is_tried() {
    open();
    it.deliver(4, 5, 6);
    assertThat(it.commands()).isEmpty();
    it.pass(Duration.ofMillis(999));
    assertThat(it.commands()).isEmpty();

    Set<Long> tried = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      it.pass(Duration.ofMillis(i == 0 ? 1 : 1000));
      long probe = probed();
      tried.add(probe);
      it.fail(probe);
    }
    assertThat(tried).containsExactlyInAnyOrder(4L, 5L, 6L);
  }

  @Test
  void the_next_is_tried_when_the_one_before_has_ended() {
    open();
    it.deliver(4, 5);
    it.passSeconds(1);
    long first = probed();
    it.passSeconds(20);
    assertThat(it.commands()).isEmpty();

    it.fail(first);
    it.passSeconds(1);
    assertThat(probed()).isNotEqualTo(first);
  }

  @Test
  void first_deliveries_are_tried_first() {
    open();
    for (long sequence = 10; sequence < 15; sequence++) {
      it.deliverAs(2, sequence);
      it.noDeadLetter(sequence);
    }
    it.commands();
    it.deliver(20);

    it.passSeconds(1);
    assertThat(probed()).isEqualTo(20);
  }

  @Test
  void those_tried_are_picked_at_random() {
    Set<Long> picks = new HashSet<>();
    open();
    it.deliver(4, 5, 6);
    for (int i = 0; i < 40; i++) {
      it.passSeconds(1);
      long probe = probed();
      if (i % 4 == 1) {
        picks.add(probe);
      }
      it.fail(probe);
    }
    assertThat(picks).hasSizeGreaterThan(1);
  }

  @Test
  void a_window_that_is_not_full_is_tried_round_and_round_and_not_returned() {
    open();
    it.deliver(4, 5);
    List<Long> tried = new ArrayList<>();
    for (int i = 0; i < 1_700; i++) {
      it.passSeconds(1);
      long probe = probed();
      tried.add(probe);
      it.failTransiently(probe, Duration.ofMillis(100));
    }

    assertThat(tried).contains(3L, 4L, 5L);
    assertThat(it.commands()).isEmpty();
    assertThat(it.status().inFlight()).isEqualTo(3);
    assertThat(it.events()).isEmpty();
  }

  @Test
  void a_full_window_of_which_all_were_tried_is_let_go() {
    open();
    it.deliver(4, 5, 6, 7, 8);
    for (int i = 0; i < 5; i++) {
      it.passSeconds(1);
      it.fail(probed());
    }
    assertThat(it.status().inFlight()).isEqualTo(6);

    it.passSeconds(1);

    assertThat(it.commands())
        .containsExactlyInAnyOrder(
            "nak 3#1 in 500ms",
            "nak 4#1 in 500ms",
            "nak 5#1 in 500ms",
            "nak 6#1 in 500ms",
            "nak 7#1 in 500ms",
            "nak 8#1 in 500ms");
    assertThat(it.events()).startsWith("window let go: 6");
    assertThat(it.status().breakerOpen()).isTrue();
  }

  @Test
  void after_half_an_hour_even_a_few_are_let_go_and_may_die() {
    it = new SteppedWorker(POLICY.withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(4)));
    open();
    it.deliverAs(9, 4);
    it.noDeadLetter(4);
    it.noNote(4);
    List<String> settled = new ArrayList<>();
    for (int i = 0; i < 3_700; i++) {
      List<String> commands = it.commands();
      commands.stream().filter(command -> command.matches("(nak|bury).*")).forEach(settled::add);
      commands.stream().filter(command -> command.matches("(run|note).*")).forEach(this::answer);
      it.pass(Duration.ofMillis(500));
    }

    assertThat(settled)
        .containsExactlyInAnyOrder("nak 3#1 in 500ms", "bury 4#9: delivery-limit, boom 4");
  }

  @Test
  void it_pulls_a_full_window_to_find_something_that_succeeds() {
    it.consumerReady();
    open();
    it.port.pulls();
    it.worker.pullEnded(it.port.lastPull(), it.now());
    it.passSeconds(1);

    assertThat(it.port.pulls()).containsExactly(5);
  }

  @Test
  void nothing_dies_of_the_limit_while_it_is_open() {
    it =
        new SteppedWorker(POLICY.withWindow(3).withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(2)));
    open();
    for (int round = 2; round < 20; round++) {
      it.deliverAs(round, 3, 10, 11);
      for (int i = 0; i < 30; i++) {
        it.commands().forEach(this::answer);
        it.pass(Duration.ofMillis(500));
      }
    }

    assertThat(it.status().counts().dead()).isZero();
    assertThat(it.events()).filteredOn("window let go: 3"::equals).hasSizeGreaterThan(1);
  }

  private void answer(String command) {
    String[] words = command.split("[ #:]+", -1);
    assertThat(words[0]).as(command).isNotEqualTo("bury");
    switch (words[0]) {
      case "look" -> it.noDeadLetter(Long.parseLong(words[2]));
      case "read" -> it.noNote(Long.parseLong(words[2]));
      case "note" -> it.noteStored(Long.parseLong(words[1]));
      case "run" -> it.fail(Long.parseLong(words[1]));
      default -> assertThat(words[0]).isEqualTo("nak");
    }
  }

  @Test
  void a_rejected_message_dies_also_while_it_is_open() {
    open();
    it.deliver(4);
    it.passSeconds(1);
    it.reject(4);

    assertThat(it.commands()).containsExactly("run 4#1", "bury 4#1: rejected, unwanted 4");
    assertThat(it.status().breakerOpen()).isTrue();
  }

  @Test
  void what_its_stream_would_expire_before_its_next_turn_dies_with_evidence() {
    it.worker.consumerReady(SteppedWorker.ACK_WAIT, Optional.of(Duration.ofHours(1)));
    open();
    it.passSeconds(1);
    it.reject(probed());
    it.buried(3);
    it.commands();
    it.deliverAged(Duration.ofMinutes(50), 1, 4);
    for (int i = 0; i < 530; i++) {
      it.passSeconds(1);
      it.failTransiently(probed(), Duration.ofMinutes(30));
    }
    assertThat(it.commands()).as("held while there is time").isEmpty();
    it.passSeconds(10);
    it.failTransiently(probed(), Duration.ofMinutes(30));

    assertThat(it.commands()).containsExactly("bury 4#1: expiring, retry after PT30M");
  }

  @Test
  void a_handler_that_times_out_is_not_tried_beside_itself() {
    open();
    it.deliver(4);
    it.passSeconds(1);
    assertThat(probed()).isEqualTo(4);
    it.pass(Duration.ofMinutes(2).plusSeconds(3));

    assertThat(it.commands()).containsSubsequence("interrupt 4#1", "nak 4#1 in 500ms", "run 3#1");
  }

  // Probes that come to nothing.

  @Test
  void the_next_is_tried_when_the_lease_of_one_was_lost_before_it_began() {
    it = new SteppedWorker(POLICY.withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(4)));
    open();
    it.passSeconds(1);
    it.reject(3);
    it.buried(3);
    it.deliverAs(4, 4);
    it.noDeadLetter(4);
    it.passSeconds(1);
    assertThat(it.commands()).endsWith("note 4#4: started-alone 4");
    it.extensionsArrive = false;
    it.passSeconds(40);
    it.extensionsArrive = true;
    assertThat(it.events()).contains("lease lost 4#4");
    it.commands();

    it.deliver(5);
    it.passSeconds(1);
    assertThat(probed()).isEqualTo(5);
  }

  @Test
  void the_next_is_tried_when_a_pause_recalled_the_one_before() {
    open();
    it.port.threadsBusy = true;
    it.passSeconds(1);
    assertThat(probed()).isEqualTo(3);
    it.worker.pause();
    it.worker.resume();
    it.commands();

    it.passSeconds(1);
    assertThat(probed()).isEqualTo(3);
  }

  @Test
  void the_next_is_tried_when_the_notes_of_one_cannot_be_written() {
    it = new SteppedWorker(POLICY.withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(4)));
    open();
    it.passSeconds(1);
    it.fail(probed());
    it.deliverAs(4, 4);
    it.noDeadLetter(4);
    it.passSeconds(1);
    assertThat(it.commands()).endsWith("note 4#4: started-alone 4");
    it.notesFail(4);

    it.deliver(5);
    it.passSeconds(2);
    assertThat(it.commands()).contains("run 5#1");
  }

  // Closing.

  @Test
  void one_success_closes_it_and_everything_runs() {
    open();
    it.deliver(4, 5, 6);
    it.passSeconds(1);
    long first = probed();
    it.fail(first);
    it.passSeconds(1);
    long second = probed();
    it.done(second);

    Set<String> expected = new HashSet<>();
    LongStream.of(3, 4, 5, 6)
        .filter(sequence -> sequence != second)
        .forEach(sequence -> expected.add("run " + sequence + "#1"));
    expected.add("ack " + second + "#1");
    assertThat(it.commands()).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(it.events()).containsExactly("breaker closed");
    assertThat(it.status().breakerOpen()).isFalse();
    assertThat(it.status().held()).isZero();
  }

  @Test
  void what_was_to_be_held_once_its_outcome_is_noted_runs_if_it_closed_meanwhile() {
    it = new SteppedWorker(POLICY.withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(4)));
    it.deliver(6);
    open();
    it.deliverAs(4, 4);
    it.noDeadLetter(4);
    it.passSeconds(1);
    it.noteStored(4);
    it.fail(4);
    assertThat(it.commands()).endsWith("run 4#4", "note 4#4: ended 4");
    it.done(6);
    it.commands();

    it.noteStored(4);
    it.tick();
    assertThat(it.commands()).containsExactly("note 4#4: started-in-company 4");
  }

  @Test
  void a_run_that_began_before_it_opened_closes_it_too() {
    it.deliver(1, 2, 3, 4);
    it.fail(1, 2);
    it.passSeconds(30);
    it.fail(3);
    it.commands();
    it.done(4);

    assertThat(it.commands()).containsExactlyInAnyOrder("ack 4#1", "run 3#1");
  }

  @Test
  void what_was_settled_while_it_was_open_is_not_kept_in_mind() {
    open();
    for (int round = 0; round < 20; round++) {
      long first = 1_000 + 10L * round;
      it.deliver(LongStream.range(first, first + 6 - it.status().inFlight()).toArray());
      while (it.status().inFlight() == 6) {
        it.passSeconds(1);
        it.commands().stream()
            .filter(command -> command.startsWith("run"))
            .forEach(command -> it.fail(Long.parseLong(command.replaceAll("run (\\d+)#.*", "$1"))));
      }
    }
    it.commands();
    it.deliver(7);
    it.passSeconds(1);
    it.done(7);

    assertThat(it.commands()).containsExactly("run 7#1", "ack 7#1");
  }
}
