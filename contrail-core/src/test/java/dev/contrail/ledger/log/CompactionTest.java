package dev.contrail.ledger.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A log is kept short, and nothing is purged before everybody can do without it. */
class CompactionTest {
  private static final long T = 1_800_000_000_000L;

  private final SteppedLedger it = new SteppedLedger(1);

  private static Message message(int sequence) {
    return new Message(sequence, T + sequence);
  }

  private void record(int from, int to) {
    for (int sequence = from; sequence <= to; sequence++) {
      it.record(message(sequence));
      it.settle();
    }
  }

  private void lookUp() {
    it.lookUp(message(1));
    it.settle();
  }

  private void rest(Duration time) {
    for (long second = 0; second < time.toSeconds(); second++) {
      it.pass(Duration.ofSeconds(1));
      it.settle();
    }
  }

  private long records() {
    return it.log.records().stream().filter(stored -> stored.token().equals("0")).count();
  }

  @Test
  void after_64_records_a_block_gets_a_snapshot_when_all_is_known() {
    record(1, 63);
    lookUp();
    assertThat(records()).isEqualTo(63);
    record(64, 64);
    assertThat(records()).as("it is not known yet whether that is all").isEqualTo(64);
    lookUp();
    assertThat(records()).isEqualTo(65);
  }

  @Test
  void what_it_covers_is_purged_30_seconds_after_it_was_read_and_not_before() {
    record(1, 64);
    it.lookUp(message(1));
    it.store();
    it.tail();
    assertThat(it.sent()).as("the snapshot is under way").containsExactly("0");
    it.pass(Duration.ofSeconds(40));
    it.store();
    it.pass(Duration.ofSeconds(40));
    assertThat(it.commands()).as("stored, not read").containsExactly("read from 1");

    it.settle();
    it.pass(Duration.ofMillis(29_900));
    it.settle();
    assertThat(it.commands()).filteredOn(c -> c.startsWith("purge 0")).isEmpty();
    it.pass(Duration.ofMillis(100));
    it.settle();
    assertThat(it.commands()).contains("purge 0 below 65");
    assertThat(records()).isEqualTo(1);
  }

  @Test
  void nothing_is_purged_on_the_strength_of_a_snapshot_that_may_not_be_stored() {
    record(1, 64);
    it.lookUp(message(1));
    it.store();
    it.tail();
    it.refuse();
    it.pass(Duration.ofMinutes(2));
    it.settle();
    assertThat(it.commands()).filteredOn(c -> c.startsWith("purge 0")).isEmpty();
  }

  @Test
  void nothing_is_purged_before_a_record_has_come_back_from_the_log_as_it_is_now() {
    record(1, 64);
    lookUp();
    it.commands();
    it.pass(Duration.ofSeconds(31));
    assertThat(it.commands()).isEmpty();
    assertThat(it.sent()).containsExactly(LedgerPort.BARRIER);

    it.log.remake();
    SteppedLedger other = new SteppedLedger(2, it.log);
    other.record(message(70));
    other.settle();
    it.store();
    it.settle();
    it.pass(Duration.ofMinutes(2));
    it.settle();
    assertThat(it.commands()).filteredOn(c -> c.startsWith("purge 0")).isEmpty();
    SteppedLedger.Answer answer = it.lookUp(message(70));
    it.settle();
    assertThat(answer).hasToString("{0}");
  }

  @Test
  void a_block_that_gets_no_more_gets_its_snapshot_after_10_seconds() {
    record(1, 3);
    it.pass(Duration.ofSeconds(10));
    assertThat(it.sent()).isEmpty();
    it.pass(Duration.ofMillis(100));
    it.settle();
    assertThat(records()).isEqualTo(4);
    it.pass(Duration.ofSeconds(31));
    it.settle();
    assertThat(records()).isEqualTo(1);
    it.pass(Duration.ofMinutes(10));
    it.settle();
    assertThat(records()).isEqualTo(1);
  }

  @Test
  void a_block_of_one_record_is_left_as_it_is() {
    record(1, 1);
    it.pass(Duration.ofMinutes(2));
    it.settle();
    assertThat(records()).isEqualTo(1);
  }

  @Test
  void whoever_wrote_last_sees_to_it_and_nobody_else() {
    SteppedLedger other = new SteppedLedger(2, it.log);
    record(1, 2);
    other.settle();
    other.record(message(3));
    other.settle();
    it.settle();
    it.pass(Duration.ofSeconds(11));
    assertThat(it.sent()).isEmpty();
    other.pass(Duration.ofSeconds(11));
    other.settle();
    assertThat(records()).isEqualTo(4);
  }

  @Test
  void one_who_begins_purges_what_another_did_not_live_to() {
    record(1, 64);
    lookUp();
    assertThat(records()).isEqualTo(65);

    SteppedLedger next = new SteppedLedger(2, it.log);
    next.lookUp(message(1));
    next.settle();
    next.pass(Duration.ofSeconds(31));
    next.settle();
    assertThat(next.commands()).contains("purge 0 below 65");
    assertThat(records()).isEqualTo(1);
    SteppedLedger.Answer answer = next.lookUp(message(1), message(64), message(65));
    next.settle();
    assertThat(answer).hasToString("{0, 1}");
  }

  @Test
  void one_who_was_cut_off_and_finds_its_last_record_purged_reads_all_again() {
    SteppedLedger late = new SteppedLedger(2, it.log);
    record(1, 10);
    late.settle();
    record(11, 64);
    lookUp();
    it.pass(Duration.ofSeconds(31));
    it.settle();
    assertThat(records()).isEqualTo(1);
    late.commands();
    late.ledger.readingEnded();
    late.pass(Duration.ofSeconds(1));
    SteppedLedger.Answer answer = late.lookUp(message(5), message(50), message(65));
    late.settle();

    assertThat(late.commands()).containsExactly("read from 10", "read from 1");
    assertThat(answer).hasToString("{0, 1}");
  }

  @Test
  void records_that_only_were_barriers_are_purged_when_they_are_many_or_no_more_come() {
    for (int i = 0; i < Compaction.MOST_BARRIERS; i++) {
      lookUp();
    }
    it.pass(Duration.ofMillis(100));
    lookUp();
    rest(Duration.ofMinutes(1));
    assertThat(it.commands()).contains("purge barrier below 1001", "purge barrier below 1002");
    assertThat(it.log.records()).hasSizeLessThan(5);

    long last = it.log.last();
    rest(Duration.ofMinutes(10));
    assertThat(it.log.last()).as("and that comes to an end").isEqualTo(last);
  }

  @Test
  void what_is_forgotten_is_not_purged_and_stays_forgotten() {
    record(1, 63);
    it.log.append("0-forget", RecordFormat.forget(9, 5, 6), it.millis());
    record(64, 64);
    lookUp();
    it.pass(Duration.ofSeconds(31));
    it.settle();
    assertThat(it.log.records()).extracting(ModelLog.Stored::token).contains("0", "0-forget");

    SteppedLedger next = new SteppedLedger(2, it.log);
    SteppedLedger.Answer answer = next.lookUp(message(4), message(5), message(6), message(7));
    next.settle();
    assertThat(answer).hasToString("{0, 3}");
  }

  // Lifetime.

  @Test
  void a_block_is_dropped_when_the_stream_holds_nothing_of_it_and_it_is_old() {
    record(1, 2);
    it.log.append("0-forget", RecordFormat.forget(9, 2, 2), it.millis());
    it.settle();
    it.commands();
    it.ledger.retire(65_536, it.millis() + 1);

    assertThat(it.commands()).containsExactly("purge 0 below 4", "purge 0-forget below 4");
    assertThat(it.log.records()).isEmpty();
    SteppedLedger.Answer answer = it.lookUp(message(1));
    it.settle();
    assertThat(answer).hasToString("{}");
  }

  @Test
  void a_block_of_which_the_stream_holds_one_message_is_kept() {
    record(1, 2);
    it.commands();
    it.ledger.retire(65_535, it.millis() + 1);
    assertThat(it.commands()).isEmpty();
  }

  @Test
  void a_block_that_was_written_to_lately_is_kept() {
    record(1, 2);
    it.commands();
    it.ledger.retire(1_000_000, it.millis());
    assertThat(it.commands()).isEmpty();
  }

  @Test
  void what_comes_back_of_a_block_that_was_put_away_is_known_all_the_same() {
    record(1, 2);
    it.ledger.retire(1_000_000, 0);
    record(3, 3);

    SteppedLedger.Answer known = it.lookUp(message(1), message(3), message(4));
    it.settle();

    assertThat(known).hasToString("{0, 1}");
  }

  @Test
  void what_is_recorded_in_a_block_that_was_put_away_keeps_it_longer() {
    record(1, 2);
    it.ledger.retire(1_000_000, 0);
    it.pass(Duration.ofSeconds(5));
    long before = it.millis();
    record(3, 3);
    it.commands();

    it.ledger.retire(1_000_000, before);
    assertThat(it.commands()).isEmpty();
    it.ledger.retire(1_000_000, it.millis() + 1);
    assertThat(it.commands()).containsExactly("purge 0 below 4", "purge 0-forget below 4");
  }

  @Test
  void a_block_that_was_dropped_does_not_come_back_by_what_was_to_be_done_with_it() {
    record(1, 64);
    lookUp();
    it.commands();
    it.ledger.retire(65_536, it.millis() + 1);
    it.pass(Duration.ofSeconds(31));
    it.settle();
    it.commands();
    it.ledger.retire(65_536, it.millis() + 1);
    assertThat(it.commands()).as("there is no block to drop").isEmpty();
  }
}
