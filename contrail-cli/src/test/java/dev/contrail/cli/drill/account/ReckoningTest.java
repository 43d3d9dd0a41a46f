package dev.contrail.cli.drill.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.Header;
import dev.contrail.Headers;
import dev.contrail.cli.drill.place.Observer;
import dev.contrail.cli.drill.place.Published;
import dev.contrail.cli.drill.worker.RunLine;
import dev.contrail.cli.drill.worker.RunLine.What;
import dev.contrail.cli.drill.worker.Task;
import dev.contrail.ledger.SequenceSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What facts come to; each wrong fact breaks the promise that it is about. */
class ReckoningTest {
  private static final Headers HEADERS = Headers.of(List.of(new Header("X-Tag", "a")));
  private static final byte[] PAYLOAD = {1, 2, 3};

  private final List<Published> published = new ArrayList<>();
  private final List<Run> runs = new ArrayList<>();
  private final SequenceSet completed = new SequenceSet();
  private final Map<Long, Long> recorded = new HashMap<>();
  private final Map<Long, Observer.Acked> acked = new HashMap<>();
  private final Map<Long, Letter> letters = new HashMap<>();
  private final SequenceSet present = new SequenceSet();

  @Test
  void what_is_done_and_recorded_is_processed() {
    done(1, work(1, Task.Kind.OK), 100, false);
    Account account = account();
    assertThat(account.processed()).isEqualTo(1);
    assertThat(account.breaches()).isEmpty();
  }

  @Test
  void what_is_acked_and_was_never_done_is_lost() {
    work(1, Task.Kind.OK);
    assertThat(account().lost()).isEqualTo(1);
    assertThat(broken()).containsExactly(Promise.NOTHING_LOST);
  }

  @Test
  void what_is_recorded_and_was_never_done_is_lost() {
    work(1, Task.Kind.OK);
    completed.add(1);
    assertThat(account().lost()).isEqualTo(1);
    assertThat(broken()).containsExactly(Promise.NOTHING_LOST);
  }

  @Test
  void what_is_done_and_not_recorded_is_not_accounted_for() {
    done(1, work(1, Task.Kind.OK), 100, false);
    Facts facts = facts(new SequenceSet());
    assertThat(promises(Reckoning.of(facts))).containsExactly(Promise.ACCOUNTED_FOR);
  }

  @Test
  void what_died_without_a_dead_letter_is_evidence_lost() {
    work(1, Task.Kind.REJECT);
    assertThat(account().evidenceLost()).isEqualTo(1);
    assertThat(account().lost()).isEqualTo(1);
    assertThat(broken()).containsExactly(Promise.NOTHING_LOST, Promise.WHOLE_EVIDENCE);
  }

  @Test
  void a_dead_letter_must_be_the_message_byte_for_byte() {
    work(1, Task.Kind.REJECT);
    letters.put(1L, letter(1, PAYLOAD, HEADERS));
    assertThat(account().dead()).isEqualTo(1);
    assertThat(broken()).isEmpty();

    letters.put(1L, letter(1, new byte[] {1, 2, 4}, HEADERS));
    assertThat(account().evidenceLost()).isEqualTo(1);
    letters.put(1L, letter(1, PAYLOAD, Headers.of(List.of(new Header("x-tag", "a")))));
    assertThat(broken()).containsExactly(Promise.WHOLE_EVIDENCE);
  }

  @Test
  void two_dead_letters_of_one_death_are_one_too_many() {
    work(1, Task.Kind.REJECT);
    letters.put(1L, letter(2, PAYLOAD, HEADERS));
    assertThat(account().doubleLetters()).isEqualTo(1);
    assertThat(broken()).containsExactly(Promise.ONE_DEAD_LETTER);
  }

  @Test
  void healthy_work_that_is_dead_was_taken_along() {
    work(1, Task.Kind.OK);
    letters.put(1L, letter(1, PAYLOAD, HEADERS));
    assertThat(broken()).containsExactly(Promise.DIES_ALONE);
  }

  @Test
  void work_done_again_after_a_crash_before_the_record_is_counted_and_no_breach() {
    Published work = work(1, Task.Kind.OK);
    done(1, work, 100, true);
    done(2, work, 300, false);
    recorded.put(1L, 400L);
    assertThat(account().duplicates()).isEqualTo(new Duplicates(1, 0, 0, 0));
    assertThat(broken()).isEmpty();
  }

  @Test
  void work_begun_after_its_record_breaks_the_promise_whoever_was_killed() {
    Published work = work(1, Task.Kind.OK);
    done(1, work, 100, true);
    done(2, work, 300, false);
    recorded.put(1L, 200L);
    assertThat(account().duplicates()).isEqualTo(new Duplicates(0, 0, 1, 0));
    assertThat(broken()).containsExactly(Promise.NO_RUN_AFTER_RECORD);
  }

  @Test
  void two_at_once_overlap() {
    Published work = work(1, Task.Kind.OK);
    run(1, work, 100, 900, false);
    run(2, work, 300, 400, false);
    completed.add(1);
    assertThat(account().duplicates()).isEqualTo(new Duplicates(0, 1, 0, 0));
  }

  @Test
  void work_done_again_for_no_reason_is_a_breach() {
    Published work = work(1, Task.Kind.OK);
    done(1, work, 100, false);
    done(2, work, 300, false);
    assertThat(account().duplicates().unexplained()).isEqualTo(1);
    assertThat(broken()).containsExactly(Promise.NO_RUN_AFTER_RECORD);
  }

  @Test
  void a_replay_that_is_not_resolved_or_done_twice_is_a_breach() {
    Published work = work(1, Task.Kind.REJECT_ONCE);
    letters.put(1L, letter(1, PAYLOAD, HEADERS));
    assertThat(broken()).containsExactly(Promise.NOTHING_LOST);

    Letter resolved = letters.get(1L);
    letters.put(1L, new Letter(1, 1, HEADERS, resolved.headerBlock(), PAYLOAD, 1, 50, true));
    run(1, work, 100, 110, false);
    assertThat(account().resolved()).isEqualTo(1);
    run(2, work, 300, 310, false);
    assertThat(broken()).containsExactly(Promise.REPLAYED_ONCE);
  }

  @Test
  void what_is_left_in_the_stream_is_stuck() {
    work(1, Task.Kind.OK);
    present.add(1);
    assertThat(account().lost()).isZero();
    assertThat(broken()).containsExactly(Promise.NOTHING_LOST);
  }

  private Published work(long number, Task.Kind kind) {
    Published work = new Published(new Task(number, kind), number, HEADERS.block(), PAYLOAD);
    published.add(work);
    return work;
  }

  private void done(int worker, Published work, long start, boolean disturbed) {
    run(worker, work, start, start + 10, disturbed);
    completed.add(work.sequence());
  }

  private void run(int worker, Published work, long start, long end, boolean disturbed) {
    runs.add(
        new Run(
            work.number(),
            work.sequence(),
            worker,
            disturbed,
            start,
            1,
            false,
            Optional.of(new RunLine(end, What.DONE, work.number(), work.sequence(), 1, ""))));
  }

  private static Letter letter(long copies, byte[] payload, Headers headers) {
    return new Letter(1, copies, headers, headers.block(), payload, 1, 50, false);
  }

  private Facts facts(SequenceSet ledger) {
    return new Facts(
        published,
        runs,
        Optional.of(ledger),
        recorded,
        acked,
        letters,
        List.of(),
        present,
        true,
        List.of());
  }

  private Account account() {
    return Reckoning.of(facts(completed));
  }

  private List<Promise> broken() {
    return promises(account());
  }

  private static List<Promise> promises(Account account) {
    return account.breaches().stream().map(Breach::promise).toList();
  }
}
