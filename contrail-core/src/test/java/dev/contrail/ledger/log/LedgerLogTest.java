package dev.contrail.ledger.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Records and look-ups, one log, and a reader that may be cut off. */
class LedgerLogTest {
  private static final long T = 1_800_000_000_000L;
  private static final Message ONE = new Message(1, T);
  private static final Message TWO = new Message(2, T + 1);
  private static final Message NEXT_BLOCK = new Message(65_536, T + 2);

  private final SteppedLedger it = new SteppedLedger(1);

  // Recording.

  @Test
  void what_is_recorded_is_done_when_it_is_stored() {
    SteppedLedger.Answer answer = it.record(ONE, TWO);
    assertThat(it.sent()).containsExactly("0");
    assertThat(answer).hasToString("none");
    it.store();
    assertThat(answer).hasToString("done");
  }

  @Test
  void what_may_not_be_stored_has_failed() {
    SteppedLedger.Answer answer = it.record(ONE);
    it.refuse();
    assertThat(answer).hasToString("failed: away");
    assertThat(it.sent()).isEmpty();
  }

  @Test
  void a_batch_of_two_blocks_is_done_when_both_its_records_are_stored() {
    SteppedLedger.Answer answer = it.record(ONE, NEXT_BLOCK);
    assertThat(it.sent()).containsExactly("0", "1");
    it.store();
    assertThat(answer).hasToString("none");
    it.store();
    assertThat(answer).hasToString("done");
  }

  @Test
  void a_batch_of_which_one_record_may_not_be_stored_has_failed_once() {
    SteppedLedger.Answer answer = it.record(ONE, NEXT_BLOCK);
    it.refuse();
    assertThat(answer).hasToString("failed: away");
    it.store();
    assertThat(answer).hasToString("failed: away");
  }

  @Test
  void four_records_are_under_way_and_what_comes_meanwhile_goes_into_one() {
    for (int i = 0; i < 10; i++) {
      it.record(new Message(i, T + i));
    }
    SteppedLedger.Answer lookUp = it.lookUp(ONE);
    assertThat(it.sent()).hasSize(4);
    it.store();
    assertThat(it.sent()).as("the rest of them in one record").hasSize(4);
    it.settle();
    assertThat(it.log.last()).isEqualTo(5);
    assertThat(lookUp).hasToString("{0}");
  }

  // Looking up.

  @Test
  void a_look_up_is_answered_when_a_record_sent_after_it_was_asked_has_come_back() {
    it.record(ONE);
    it.settle();
    SteppedLedger.Answer answer = it.lookUp(ONE, TWO);
    assertThat(answer).as("known here, but perhaps not all").hasToString("none");
    assertThat(it.sent()).containsExactly(LedgerPort.BARRIER);
    it.store();
    assertThat(answer).as("stored, not read").hasToString("none");
    it.tail();
    assertThat(answer).hasToString("{0}");
  }

  @Test
  void a_record_that_comes_back_before_its_answer_is_as_good() {
    SteppedLedger.Answer answer = it.lookUp(ONE);
    ModelLog.Stored barrier = new ModelLog.Stored(1, "barrier", RecordFormat.barrier(1), 0);
    it.deliver(it.reading(), barrier);
    assertThat(answer).hasToString("none");
    it.store();
    assertThat(answer).hasToString("{}");
  }

  @Test
  void what_another_worker_recorded_before_it_was_asked_is_known() {
    SteppedLedger other = new SteppedLedger(2, it.log);
    SteppedLedger.Answer recorded = other.record(ONE);
    other.store();
    assertThat(recorded).hasToString("done");

    SteppedLedger.Answer answer = it.lookUp(ONE);
    it.store();
    assertThat(answer).hasToString("none");
    it.tail();
    assertThat(answer).as("there is another record before its own").hasToString("none");
    it.tail();
    assertThat(answer).hasToString("{0}");
  }

  @Test
  void a_record_that_was_under_way_when_it_was_asked_says_nothing() {
    it.record(ONE);
    SteppedLedger.Answer answer = it.lookUp(TWO);
    assertThat(it.sent()).containsExactly("0", LedgerPort.BARRIER);
    it.store();
    it.tail();
    assertThat(answer).hasToString("none");
    it.settle();
    assertThat(answer).hasToString("{}");
  }

  @Test
  void a_look_up_whose_record_may_not_be_stored_has_failed() {
    SteppedLedger.Answer answer = it.lookUp(ONE);
    it.refuse();
    assertThat(answer).hasToString("failed: away");
  }

  @Test
  void a_record_that_took_too_long_to_come_back_is_sent_again() {
    SteppedLedger.Answer answer = it.lookUp(ONE);
    it.store();
    it.linger(Duration.ofSeconds(10).plusNanos(1));
    it.tail();
    assertThat(answer).as("records before it may have been purged unread").hasToString("none");
    it.settle();
    assertThat(answer).hasToString("{}");
  }

  @Test
  void while_there_is_something_to_read_a_look_up_waits_for_as_long_as_that_takes() {
    SteppedLedger other = new SteppedLedger(2, it.log);
    for (int i = 0; i < 30; i++) {
      other.record(new Message(i, T + i));
      other.settle();
    }
    SteppedLedger.Answer answer = it.lookUp(ONE);
    it.store();
    for (int i = 0; i < 30; i++) {
      it.pass(Duration.ofSeconds(1));
      it.tail();
    }
    assertThat(answer).hasToString("none");
    it.settle();
    assertThat(answer).hasToString("{0}");
  }

  @Test
  void when_nothing_can_be_read_a_look_up_fails() {
    SteppedLedger.Answer answer = it.lookUp(ONE);
    it.store();
    it.pass(Duration.ofSeconds(9));
    assertThat(answer).hasToString("none");
    it.pass(Duration.ofSeconds(2));
    assertThat(answer).hasToString("failed: what was written to the ledger cannot be read back");
  }

  // Reading.

  @Test
  void a_reader_that_brings_nothing_back_is_given_up_after_two_seconds_and_every_two() {
    it.record(ONE);
    it.settle();
    it.lookUp(ONE);
    it.store();
    it.commands();
    it.pass(Duration.ofSeconds(2));
    assertThat(it.commands()).isEmpty();
    it.pass(Duration.ofMillis(100));
    assertThat(it.commands()).containsExactly("read from 1");
    it.pass(Duration.ofMillis(2_100));
    assertThat(it.commands()).containsExactly("read from 1");
  }

  @Test
  void a_quiet_log_is_not_read_anew() {
    it.record(ONE);
    it.settle();
    it.commands();
    it.pass(Duration.ofMinutes(10));
    assertThat(it.commands()).filteredOn(command -> command.startsWith("read")).isEmpty();
  }

  @Test
  void a_reader_that_was_cut_off_goes_on_with_the_last_record_that_it_knows() {
    it.record(ONE);
    it.lookUp(ONE);
    it.settle();
    it.record(TWO);
    it.store();
    it.commands();
    it.ledger.readingEnded();
    it.pass(Duration.ofSeconds(1));
    assertThat(it.commands()).containsExactly("read from 1");

    SteppedLedger.Answer answer = it.lookUp(ONE, TWO);
    it.settle();
    assertThat(answer).hasToString("{0, 1}");
    assertThat(it.commands()).isEmpty();
  }

  @Test
  void what_comes_late_of_an_earlier_reading_is_passed_over() {
    it.record(ONE);
    it.record(TWO);
    it.settle();
    long earlier = it.reading();
    ModelLog.Stored last = it.log.records().get(1);
    it.log.remake();
    SteppedLedger.Answer answer = it.lookUp(ONE);
    it.store();
    assertThat(it.commands()).as("all is read again").endsWith("read from 1");

    it.deliver(earlier, last);
    assertThat(answer).as("nothing is read yet of the new log").hasToString("none");
    it.settle();
    assertThat(answer).hasToString("{}");
  }

  @Test
  void a_log_that_was_made_again_is_noticed_by_the_place_of_the_next_record() {
    it.record(ONE);
    it.record(TWO);
    it.settle();
    it.commands();
    it.log.remake();
    SteppedLedger other = new SteppedLedger(2, it.log);
    other.record(NEXT_BLOCK);
    other.store();

    SteppedLedger.Answer answer = it.lookUp(ONE, NEXT_BLOCK);
    it.store();
    assertThat(it.commands()).containsExactly("read from 1");
    it.settle();
    assertThat(answer).as("what is lost is lost, what is there is known").hasToString("{1}");
  }

  @Test
  void a_log_that_was_made_again_and_has_grown_since_is_noticed_by_the_record_that_is_missing() {
    it.record(ONE);
    it.settle();
    it.record(TWO);
    it.settle();
    it.log.remake();
    SteppedLedger other = new SteppedLedger(2, it.log);
    for (int i = 0; i < 4; i++) {
      other.record(new Message(10 + i, T + i));
      other.settle();
    }
    it.log.purge("0", 4);
    it.commands();
    it.ledger.readingEnded();
    it.pass(Duration.ofSeconds(1));
    SteppedLedger.Answer answer = it.lookUp(TWO, new Message(13, T + 3));
    it.settle();

    assertThat(it.commands()).containsExactly("read from 2", "read from 1");
    assertThat(answer).hasToString("{1}");
  }

  @Test
  void a_record_at_the_place_of_the_last_known_one_is_not_taken_for_it() {
    it.record(ONE);
    it.record(TWO);
    it.settle();
    it.linger(Duration.ofMillis(5));
    it.log.remake();
    SteppedLedger other = new SteppedLedger(2, it.log);
    other.linger(Duration.ofMillis(500));
    for (int i = 0; i < 5; i++) {
      other.record(new Message(65_536 + i, T + i));
      other.settle();
    }
    it.commands();
    it.ledger.readingEnded();
    it.pass(Duration.ofSeconds(1));
    assertThat(it.commands()).containsExactly("read from 2");
    SteppedLedger.Answer answer = it.lookUp(NEXT_BLOCK, new Message(65_536, T));
    it.settle();

    assertThat(it.commands()).as("all is read again").contains("read from 1");
    assertThat(answer).hasToString("{0, 1}");
  }

  @Test
  void a_record_of_a_newer_release_stops_it_for_a_while_and_says_why() {
    SteppedLedger.Answer stored = it.record(ONE);
    SteppedLedger.Answer waiting = it.lookUp(ONE);
    it.store();
    it.store();
    byte[] newer = RecordFormat.barrier(2);
    newer[0] = 2;
    it.log.append("0", newer, it.millis());
    it.tail();
    it.tail();
    SteppedLedger.Answer answer = it.lookUp(TWO);
    SteppedLedger.Answer underWay = it.record(TWO);
    it.tail();

    String refusal =
        "failed: The ledger holds a record of version 2, which this release does not read; it reads"
            + " version 1.";
    assertThat(stored).hasToString("done");
    assertThat(waiting).hasToString("{0}");
    assertThat(answer).hasToString(refusal);
    assertThat(underWay).hasToString(refusal);
    assertThat(it.lookUp(ONE)).hasToString(refusal);
    assertThat(it.record(ONE)).hasToString(refusal);
    it.commands();
    it.pass(Duration.ofSeconds(31));
    assertThat(it.commands()).containsExactly("read from 1");
  }

  // Sequences that are used again.

  @Test
  void it_is_told_once_that_sequences_are_used_again_and_others_learn_it_from_the_log() {
    it.record(ONE, TWO);
    it.settle();
    it.commands();
    Message again = new Message(1, T + 60_000);
    SteppedLedger.Answer answer = it.lookUp(again, new Message(2, T + 60_001));
    it.settle();
    assertThat(answer).hasToString("{}");
    assertThat(it.commands()).containsExactly("reused 1");
    assertThat(it.log.records()).filteredOn(stored -> stored.token().equals("0")).hasSize(2);

    it.lookUp(new Message(2, T + 60_001));
    it.settle();
    assertThat(it.commands()).isEmpty();
    SteppedLedger other = new SteppedLedger(2, it.log);
    other.lookUp(again);
    other.settle();
    assertThat(other.commands()).doesNotContain("reused 1");
  }

  @Test
  void what_could_not_be_said_is_said_again() {
    it.record(ONE);
    it.settle();
    it.lookUp(new Message(1, T + 60_000));
    it.store();
    it.tail();
    assertThat(it.sent()).containsExactly("0");
    it.refuse();
    it.lookUp(new Message(1, T + 60_000));
    it.store();
    it.tail();
    assertThat(it.sent()).containsExactly("0");
  }

  @Test
  void both_messages_of_a_sequence_may_be_recorded_in_any_state_of_knowledge() {
    Message again = new Message(1, T + 60_000);
    SteppedLedger.Answer first = it.record(ONE, TWO);
    SteppedLedger.Answer second = it.record(again);
    SteppedLedger.Answer answer = it.lookUp(ONE, again, TWO, new Message(2, T + 60_001));
    it.settle();
    assertThat(first).hasToString("done");
    assertThat(second).hasToString("done");
    assertThat(answer).hasToString("{0, 1, 2}");
  }

  // The end.

  @Test
  void when_it_is_closed_all_that_waits_has_failed_and_nothing_more_is_done() {
    SteppedLedger.Answer stored = it.record(ONE);
    SteppedLedger.Answer lookUp = it.lookUp(ONE);
    it.store();
    it.store();
    SteppedLedger.Answer underWay = it.record(TWO);
    it.commands();
    it.ledger.close();

    assertThat(stored).hasToString("done");
    assertThat(lookUp).hasToString("failed: the ledger is closed");
    assertThat(underWay).hasToString("failed: the ledger is closed");
    assertThat(it.record(TWO)).hasToString("failed: the ledger is closed");
    it.store();
    it.ledger.readingEnded();
    it.pass(Duration.ofMinutes(2));
    assertThat(it.commands()).isEmpty();
    assertThat(it.sent()).isEmpty();
  }
}
