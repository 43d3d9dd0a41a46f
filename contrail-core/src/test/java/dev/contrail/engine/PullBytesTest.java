package dev.contrail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.policy.BreakerPolicy;
import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a worker holds is bounded in bytes, too. A message may have 1,000 at most. */
class PullBytesTest {
  private static final long LARGEST = 1_000;
  private static final long BUDGET = 10_000;
  private static final WorkerPolicy POLICY =
      WorkerPolicy.defaults(50).withWindow(100).withWindowBytes(BUDGET);

  private SteppedWorker it = ready(POLICY);

  private static SteppedWorker ready(WorkerPolicy policy) {
    SteppedWorker ready = new SteppedWorker(policy);
    ready.port.largestMessage = LARGEST;
    ready.consumerReady();
    return ready;
  }

  private static long[] sequences(long from, long to) {
    return LongStream.rangeClosed(from, to).toArray();
  }

  /** The pulls of one cycle: how many messages, of how many bytes. */
  private List<String> pulls() {
    it.tick();
    List<Integer> batches = it.port.pulls();
    List<Long> bytes = it.port.pullBytes();
    return LongStream.range(0, batches.size())
        .mapToObj(i -> batches.get((int) i) + " of " + bytes.get((int) i))
        .toList();
  }

  private void endPull() {
    it.worker.pullEnded(it.port.lastPull(), it.now());
  }

  private void pullTooSmall() {
    it.worker.pullTooSmall(it.port.lastPull(), it.now());
  }

  @Test
  void before_a_message_was_seen_they_are_taken_to_be_as_large_as_they_may() {
    assertThat(pulls()).containsExactly("9 of 10000");
  }

  @Test
  void then_room_is_left_for_twice_what_is_usual_and_one_that_is_as_large_as_it_may() {
    pulls();
    it.deliverSized(20, sequences(1, 9));
    it.done(sequences(1, 9));

    assertThat(pulls()).containsExactly("100 of " + (LARGEST + 100 * 2 * 20));
  }

  @Test
  void what_is_held_and_what_may_still_come_is_not_asked_for_again() {
    pulls();
    it.deliverSized(500, sequences(1, 6));
    assertThat(pulls()).as("3 held and 7 owed, in thousands").isEmpty();
    it.deliverSized(500, 7, 8, 9);
    assertThat(pulls()).as("4.5 held, 5.5 free").containsExactly("4 of 5000");
  }

  @Test
  void a_pull_that_ended_gives_its_bytes_back() {
    pulls();
    it.deliverSized(500, 1);
    assertThat(pulls()).isEmpty();

    endPull();
    assertThat(pulls()).as("9.5 free").containsExactly("8 of 9000");
  }

  @Test
  void a_pull_of_which_nothing_is_heard_gives_them_back_after_its_time() {
    pulls();
    it.passSeconds(22);

    assertThat(it.port.pulls()).containsExactly(9);
  }

  @Test
  void a_lost_connection_gives_them_back() {
    pulls();
    it.worker.disconnected();
    it.consumerReady();

    assertThat(pulls()).containsExactly("9 of 10000");
  }

  @Test
  void nothing_is_pulled_while_there_is_no_room_for_a_message_as_large_as_it_may() {
    pulls();
    it.deliverSized(LARGEST, sequences(1, 9));
    it.deliverSized(1, 10);
    endPull();
    assertThat(pulls()).as("999 free").isEmpty();

    it.done(10);
    assertThat(pulls()).as("1,000 free").containsExactly("1 of 1000");
  }

  @Test
  void a_message_larger_than_the_budget_is_pulled_when_nothing_is_held() {
    it = ready(POLICY.withWindowBytes(LARGEST - 1));
    assertThat(pulls()).containsExactly("1 of 0");
    assertThat(pulls()).as("while it is under way").isEmpty();

    it.deliverSized(LARGEST, 1);
    assertThat(pulls()).as("while it is held").isEmpty();
    it.done(1);
    assertThat(pulls()).containsExactly("1 of 0");
  }

  @Test
  void a_pull_that_ended_by_its_bytes_is_followed_by_the_next() {
    pulls();
    it.deliverSized(400, 1, 2);
    pullTooSmall();

    assertThat(it.events()).isEmpty();
    assertThat(pulls()).containsExactly("10 of 9000");
  }

  @Test
  void a_message_larger_than_the_server_says_is_pulled_alone_when_there_is_room_for_a_usual_one() {
    pulls();
    it.deliverSized(100, 1);
    endPull();
    pulls();
    pullTooSmall();
    assertThat(pulls()).containsExactly("1 of 0");
    assertThat(pulls()).isEmpty();

    it.deliverSized(5 * LARGEST, 2);
    assertThat(pulls()).as("and then as before").hasSize(1).doesNotContain("1 of 0");
  }

  @Test
  void a_message_larger_than_the_server_says_waits_for_room_like_any_other() {
    pulls();
    it.deliverSized(LARGEST, sequences(1, 9));
    endPull();
    pulls();
    pullTooSmall();
    it.deliverSized(1, 10);
    pullTooSmall();

    assertThat(pulls()).isEmpty();
  }

  @Test
  void a_consumer_that_takes_no_pulls_for_many_bytes_gets_none() {
    it.worker.mostPerPull(100, 3_000);

    assertThat(pulls()).containsExactly("9 of 3000");
  }

  @Test
  void large_messages_are_pulled_with_overlap() {
    it.deliverSized(200, 1);
    it.done(1);
    assertThat(pulls()).containsExactly("22 of 9800");
    it.deliverSized(200, sequences(2, 14));
    it.done(sequences(2, 14));
    assertThat(pulls()).as("room for 4").isEmpty();

    it.deliverSized(200, 15);
    it.done(15);
    assertThat(pulls()).as("8 are owed, room for a quarter").containsExactly("5 of 3000");
  }

  @Test
  void a_window_that_is_full_of_bytes_is_let_go_when_all_of_it_was_tried() {
    it =
        ready(
            POLICY.withBreaker(new BreakerPolicy(Duration.ofSeconds(1), 3, Duration.ofMillis(1))));
    pulls();
    it.deliverSized(LARGEST, sequences(1, 9));
    it.fail(1, 2);
    it.passSeconds(1);
    it.fail(sequences(3, 9));
    assertThat(it.status().breakerOpen()).isTrue();
    it.deliverSized(LARGEST, 10, 11);
    it.commands();
    it.events();
    failProbes();
    assertThat(it.events()).as("there is room for one more").isEmpty();

    it.deliverSized(LARGEST, 12);
    failProbes();
    assertThat(it.events()).contains("window let go: 10");
  }

  private void failProbes() {
    for (int i = 0; i < 30; i++) {
      it.pass(Duration.ofMillis(1));
      it.commands().forEach(this::failWhatRuns);
    }
  }

  private void failWhatRuns(String command) {
    if (command.startsWith("run ")) {
      it.fail(Long.parseLong(command.replaceAll("run (\\d+)#.*", "$1")));
    }
  }

  @Test
  void the_budget_is_never_exceeded_and_always_used() {
    SplittableRandom random = new SplittableRandom(7);
    long most = 0;
    long sequence = 0;
    long oldest = 1;
    for (int i = 0; i < 3_000; i++) {
      it.pass(Duration.ofMillis(10));
      List<Integer> batches = it.port.pulls();
      List<Long> bytes = it.port.pullBytes();
      for (int pull = 0; pull < batches.size(); pull++) {
        long left = bytes.get(pull);
        for (int j = 0; j < batches.get(pull); j++) {
          long size = 1L + random.nextInt(random.nextInt(10) == 0 ? (int) LARGEST : 100);
          if (size > left) {
            break;
          }
          left -= size;
          it.deliverSized(size, ++sequence);
        }
        endPull();
      }
      most = Math.max(most, it.status().inFlightBytes());
      for (int done = random.nextInt(30); done > 0 && oldest <= sequence; done--) {
        it.done(oldest++);
      }
    }

    assertThat(most).isBetween(BUDGET * 2 / 3, BUDGET);
    assertThat(sequence).isGreaterThan(10_000);
  }
}
