package dev.contrail.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.CopyPublisher.Fate;
import dev.contrail.jetstream.EventStore.Decider;
import dev.contrail.jetstream.EventStore.Decision;
import dev.contrail.plan.PlanProgress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What was done is written down in spite of a store that answers late, twice or not at all. */
class ProgressLogTest {
  private final Pieces store = new Pieces();
  private final StopSign stop = new StopSign();
  private final ProgressLog log =
      new ProgressLog(
          store,
          () ->
              CompletableFuture.completedFuture(
                  store.pieces.values().stream().flatMap(List::stream).toList()),
          "p1",
          "ann@host",
          0,
          stop,
          Runnable::run);

  @Test
  void a_record_that_is_not_confirmed_is_tried_again_under_its_number() {
    store.failing = 1;
    List<PlanProgress> all = addAll(0, 200);
    log.flush().join();
    assertThat(stored()).containsExactlyElementsOf(all);
    assertThat(store.pieces.keySet()).containsExactlyElementsOf(numbers());
    assertThat(stop.isSet()).isFalse();
  }

  @Test
  void a_record_whose_confirmation_was_lost_is_not_stored_twice() {
    store.losing = 1;
    List<PlanProgress> all = addAll(0, 200);
    log.flush().join();
    assertThat(stored()).containsExactlyElementsOf(all);
  }

  @Test
  void a_number_that_somebody_else_took_is_passed_over() {
    PlanProgress other = new PlanProgress.LeftOut(999, "of somebody else");
    store.pieces.put(1, List.of(other));
    List<PlanProgress> all = addAll(0, 10);
    log.flush().join();
    assertThat(store.pieces.get(1)).containsExactly(other);
    assertThat(store.pieces.get(2)).containsExactlyElementsOf(all);
  }

  @Test
  void the_run_is_stopped_when_it_keeps_failing_and_nothing_is_forgotten() {
    store.failing = Integer.MAX_VALUE;
    List<PlanProgress> all = new ArrayList<>(addAll(0, 64));
    assertThat(stop.reason().orElseThrow().why())
        .isEqualTo("what was done cannot be written down: no answer");
    all.addAll(addAll(64, 10));
    assertThat(log.flush()).isCompletedExceptionally();

    store.failing = 0;
    log.flush().join();
    assertThat(stored()).containsExactlyElementsOf(all);
    assertThat(store.pieces.keySet()).containsExactlyElementsOf(numbers());
  }

  private List<PlanProgress> addAll(int from, int count) {
    List<PlanProgress> all = new ArrayList<>();
    for (int index = from; index < from + count; index++) {
      all.add(new PlanProgress.LeftOut(index, "why"));
    }
    all.forEach(log::add);
    return all;
  }

  private List<PlanProgress> stored() {
    return store.pieces.values().stream().flatMap(List::stream).toList();
  }

  /** As many as there are, without a gap. */
  private List<Integer> numbers() {
    List<Integer> numbers = new ArrayList<>();
    for (int number = 1; number <= store.pieces.size(); number++) {
      numbers.add(number);
    }
    return numbers;
  }

  private static final class Pieces implements ReplayPort {
    final Map<Integer, List<PlanProgress>> pieces = new TreeMap<>();
    int failing;
    int losing;

    @Override
    public CompletableFuture<Boolean> progress(
        String plan, int number, List<PlanProgress> done, String by) {
      if (failing > 0) {
        failing--;
        return CompletableFuture.failedFuture(new ContrailException("no answer"));
      }
      boolean stored = pieces.putIfAbsent(number, List.copyOf(done)) == null;
      if (losing > 0) {
        losing--;
        return CompletableFuture.failedFuture(new ContrailException("no answer"));
      }
      return CompletableFuture.completedFuture(stored);
    }

    @Override
    public CompletableFuture<Decision> decide(
        DeadLetterId entry, EntryState known, Step step, Decider decider) {
      throw new AssertionError();
    }

    @Override
    public CompletableFuture<Fate> publish(String subject, byte[] headerBlock, byte[] payload) {
      throw new AssertionError();
    }

    @Override
    public CompletableFuture<Boolean> tell(Event outcome) {
      throw new AssertionError();
    }
  }
}
