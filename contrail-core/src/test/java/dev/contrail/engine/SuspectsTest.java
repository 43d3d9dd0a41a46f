package dev.contrail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.policy.RetryPolicy;
import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages on their fourth or later delivery start in a lane of their own. */
class SuspectsTest {
  private final SteppedWorker it = new SteppedWorker(WorkerPolicy.defaults(8));

  private void arrive(long count, long... sequences) {
    it.deliverAs(count, sequences);
    for (long sequence : sequences) {
      it.noDeadLetter(sequence);
    }
  }

  private List<String> started() {
    return it.commands().stream().filter(command -> command.startsWith("run")).toList();
  }

  @Test
  void up_to_the_third_delivery_all_run_at_once() {
    arrive(3, 1, 2, 3, 4);

    assertThat(started()).containsExactly("run 1#3", "run 2#3", "run 3#3", "run 4#3");
  }

  @Test
  void from_the_fourth_delivery_on_one_runs_at_a_time() {
    arrive(4, 1, 2, 3);
    assertThat(started()).containsExactly("run 1#4");

    it.pass(Duration.ofMinutes(5));
    assertThat(started()).isEmpty();
  }

  @Test
  void the_highest_count_runs_first_and_then_the_oldest() {
    it.port.threadsBusy = true;
    arrive(4, 1);
    arrive(6, 9);
    arrive(5, 3);
    arrive(6, 8);
    it.pauseBeforeTheyBegin();
    it.worker.resume();
    it.tick();
    assertThat(started()).containsExactly("run 8#6");

    it.done(8);
    assertThat(started()).containsExactly("run 9#6", "run 3#5");
    it.done(9);
    assertThat(started()).containsExactly("run 1#4");
  }

  @Test
  void the_lane_doubles_with_every_suspect_that_has_an_outcome_up_to_the_concurrency() {
    arrive(4, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20);
    assertThat(started()).hasSize(1);
    it.done(1);
    assertThat(started()).as("two wide").hasSize(2);
    it.fail(2);
    assertThat(started()).as("four wide, one runs").hasSize(3);
    it.reject(3);
    assertThat(started()).as("eight wide, three run").hasSize(5);
    it.done(4);
    assertThat(started()).as("not wider than the concurrency").hasSize(1);
  }

  @Test
  void ordinary_messages_do_not_wait_for_suspects() {
    arrive(4, 1, 2);
    it.deliver(3);
    arrive(3, 4);

    assertThat(started()).containsExactly("run 1#4", "run 3#1", "run 4#3");
  }

  @Test
  void a_suspect_without_a_lease_still_holds_its_place_until_it_ends() {
    arrive(4, 1);
    it.extensionsArrive = false;
    it.pass(SteppedWorker.ACK_WAIT.plusSeconds(10));
    it.extensionsArrive = true;
    arrive(4, 2);
    assertThat(started()).containsExactly("run 1#4");

    it.done(1);
    assertThat(started()).containsExactly("run 2#4");
  }

  @Test
  void a_suspect_lost_before_it_began_makes_way_although_nothing_else_happens() {
    SteppedWorker three =
        new SteppedWorker(
            WorkerPolicy.defaults(8).withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(3)));
    three.extensionsArrive = false;
    three.deliverAs(3, 1);
    three.noDeadLetter(1);
    three.passSeconds(15);
    three.deliverAs(3, 2);
    three.noDeadLetter(2);
    assertThat(three.commands())
        .containsExactly("look up 1#3", "note 1#3: started-alone 3", "look up 2#3");

    three.passSeconds(16);

    assertThat(three.commands()).contains("note 2#3: started-alone 3");
  }

  @Test
  void a_suspect_that_was_settled_while_it_waited_is_passed_over() {
    arrive(4, 1, 2, 3);
    it.extensionsArrive = false;
    it.commands();
    it.passSeconds(35);
    it.extensionsArrive = true;
    arrive(5, 3);
    it.done(1);

    assertThat(started()).containsExactly("run 3#5");
  }

  @Test
  void a_limit_below_four_makes_suspects_earlier() {
    SteppedWorker two =
        new SteppedWorker(
            WorkerPolicy.defaults(8).withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(2)));
    two.deliverAs(2, 1, 2);
    two.noDeadLetter(1);
    two.noDeadLetter(2);

    assertThat(two.commands())
        .containsExactly("look up 1#2", "look up 2#2", "note 1#2: started-alone 2");
  }
}
