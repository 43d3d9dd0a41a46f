package dev.contrail.cli.drill.own;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.cli.drill.account.Breach;
import dev.contrail.cli.drill.account.Promise;
import dev.contrail.cli.drill.place.Observer;
import dev.contrail.cli.drill.place.Published;
import dev.contrail.cli.drill.worker.Task;
import dev.contrail.ledger.SequenceSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is known of a worker that is not Contrail's, and what is said not to be. */
class OwnReckoningTest {
  private static final Reports NONE = new Reports(Map.of(), Map.of());
  private final SequenceSet present = new SequenceSet();

  @Test
  void without_reports_an_ack_is_believed_and_that_is_said() {
    OwnReckoning.Result result = of(NONE, Set.of(), true);
    assertThat(result.account().processed()).isEqualTo(2);
    assertThat(result.account().breaches()).isEmpty();
    assertThat(result.notes()).anyMatch(note -> note.startsWith("Not known: what was run"));
  }

  @Test
  void with_reports_what_is_gone_and_was_never_done_is_lost() {
    OwnReckoning.Result result =
        of(new Reports(Map.of(1L, 1, 2L, 1), Map.of(1L, 1)), Set.of(), true);
    assertThat(result.account().lost()).isEqualTo(1);
    assertThat(result.account().breaches())
        .extracting(Breach::promise)
        .containsExactly(Promise.NOTHING_LOST);
  }

  @Test
  void a_second_done_is_a_duplicate() {
    OwnReckoning.Result result = of(new Reports(Map.of(), Map.of(1L, 2, 2L, 1)), Set.of(), true);
    assertThat(result.account().duplicates().total()).isEqualTo(1);
    assertThat(result.account().breaches()).isEmpty();
  }

  @Test
  void what_was_terminated_may_have_its_evidence_elsewhere() {
    OwnReckoning.Result result = of(NONE, Set.of(2L), true);
    assertThat(result.account().processed()).isEqualTo(1);
    assertThat(result.notes()).anyMatch(note -> note.contains("1 messages were terminated"));
  }

  @Test
  void what_is_left_in_the_stream_is_a_breach() {
    present.add(2);
    assertThat(of(NONE, Set.of(), false).account().breaches()).hasSize(1);
  }

  private OwnReckoning.Result of(Reports reports, Set<Long> terminated, boolean settled) {
    return OwnReckoning.of(
        new OwnFacts(
            List.of(work(1), work(2)),
            reports,
            Map.of(1L, new Observer.Acked(1, 1), 2L, new Observer.Acked(2, 3)),
            terminated,
            true,
            Map.of(),
            new SequenceSet(),
            present,
            settled));
  }

  private static Published work(long number) {
    return new Published(new Task(number, Task.Kind.OK), number, new byte[0], new byte[0]);
  }
}
