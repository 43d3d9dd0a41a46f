package dev.contrail.ledger.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

/** What the records of a block add up to, in whatever order they and their snapshots come. */
class BlockTest {
  private static final long T = 1_800_000_000_000L;
  private static final BlockKey KEY = new BlockKey(3);

  private final Block block = new Block(KEY);
  private long place;

  private static Message message(int low, long millis) {
    return new Message(KEY.first() + low, T + millis);
  }

  private void complete(Message... messages) {
    Draft draft = new Draft();
    for (Message message : messages) {
      draft.add(message.sequence(), message.publishedMillis());
    }
    draft.records().forEach(record -> block.apply(++place, record, T));
  }

  private void forget(int from, int to) {
    block.apply(++place, new LedgerRecord.Forget(from, to), T);
  }

  /** As it is read by somebody else. */
  private static LedgerRecord.Snapshot snapshotOf(Block block) {
    byte[] bytes = RecordFormat.snapshot(1, block.snapshot());
    return (LedgerRecord.Snapshot) RecordFormat.read(bytes).record();
  }

  private static boolean contains(Block block, Message message) {
    return block.contains(message.sequence(), message.publishedMillis());
  }

  private boolean contains(Message message) {
    return contains(block, message);
  }

  private boolean excludes(Message message) {
    return block.excludes(message.sequence(), message.publishedMillis());
  }

  @Test
  void what_was_completed_is_known_and_nothing_else() {
    complete(message(5, 0), message(7, 10));
    assertThat(contains(message(5, 0))).isTrue();
    assertThat(contains(message(6, 5))).isFalse();
    assertThat(contains(message(7, 10))).isTrue();
  }

  // Snapshots.

  @Test
  void a_snapshot_tells_all_to_one_who_read_nothing() {
    complete(message(5, 0), message(7, 10));
    Block other = new Block(KEY);
    other.apply(9, snapshotOf(block), T);

    assertThat(contains(other, message(5, 0))).isTrue();
    assertThat(contains(other, message(7, 10))).isTrue();
    assertThat(contains(other, message(5, 9_000))).as("another message").isFalse();
    assertThat(other.covered()).isEqualTo(1);
  }

  @Test
  void a_snapshot_makes_what_it_covers_superfluous_and_no_more() {
    complete(message(1, 0));
    complete(message(2, 1));
    assertThat(block.hasSuperfluous()).isFalse();
    LedgerRecord.Snapshot snapshot = snapshotOf(block);
    complete(message(3, 2));
    block.apply(++place, snapshot, T);

    assertThat(block.covered()).isEqualTo(2);
    assertThat(block.hasSuperfluous()).isTrue();
    block.purged(block.covered() + 1);
    assertThat(block.hasSuperfluous()).isFalse();
  }

  @Test
  void a_snapshot_of_a_log_that_is_no_more_covers_nothing_in_this_one() {
    complete(message(1, 0));
    Block elsewhere = new Block(KEY);
    Draft draft = new Draft();
    draft.add(message(9, 0).sequence(), message(9, 0).publishedMillis());
    elsewhere.apply(4_000, draft.records().get(0), T);
    block.apply(++place, snapshotOf(elsewhere), T);

    assertThat(block.covered()).isZero();
    assertThat(block.hasSuperfluous()).isFalse();
    assertThat(contains(message(9, 0))).as("what it knows is true all the same").isTrue();
  }

  @Test
  void records_are_counted_from_the_last_snapshot_on() {
    complete(message(1, 0));
    complete(message(2, 1));
    assertThat(block.sinceSnapshot()).isEqualTo(2);
    block.apply(++place, snapshotOf(block), T);
    assertThat(block.sinceSnapshot()).isZero();
    forget(1, 1);
    complete(message(3, 1));
    assertThat(block.sinceSnapshot()).as("forgets do not grow fewer by a snapshot").isEqualTo(1);
  }

  // Forgetting.

  @Test
  void what_is_forgotten_is_not_completed_until_it_is_again() {
    complete(message(1, 0), message(2, 1), message(3, 2));
    forget(2, 3);
    assertThat(contains(message(1, 0))).isTrue();
    assertThat(contains(message(2, 1))).isFalse();
    assertThat(contains(message(3, 2))).isFalse();
    complete(message(2, 1));
    assertThat(contains(message(2, 1))).isTrue();
  }

  @Test
  void a_snapshot_from_before_it_was_forgotten_does_not_bring_it_back() {
    complete(message(1, 0), message(2, 1));
    LedgerRecord.Snapshot early = snapshotOf(block);
    forget(2, 2);
    block.apply(++place, early, T);

    assertThat(contains(message(1, 0))).isTrue();
    assertThat(contains(message(2, 1))).isFalse();
  }

  @Test
  void what_was_completed_again_survives_a_snapshot_from_before_it_was_forgotten() {
    complete(message(2, 1));
    LedgerRecord.Snapshot early = snapshotOf(block);
    forget(2, 2);
    complete(message(2, 1));
    block.apply(++place, early, T);
    assertThat(contains(message(2, 1))).isTrue();
  }

  @Test
  void a_snapshot_from_after_it_was_forgotten_holds_what_was_completed_again() {
    complete(message(2, 1));
    forget(2, 2);
    complete(message(2, 1));
    Block other = new Block(KEY);
    other.apply(2, new LedgerRecord.Forget(2, 2), T);
    other.apply(9, snapshotOf(block), T);
    assertThat(contains(other, message(2, 1))).isTrue();
  }

  @Test
  void forgetting_means_every_message_that_had_the_sequence() {
    complete(message(2, 0));
    complete(message(2, 60_000));
    forget(0, BlockKey.LOW);
    assertThat(contains(message(2, 0))).isFalse();
    assertThat(contains(message(2, 60_000))).isFalse();
  }

  // Sequences that are used again.

  @Test
  void a_message_with_a_sequence_that_was_used_before_is_not_completed() {
    complete(message(50, 0), message(100, 30));
    assertThat(contains(message(50, 5_000))).isFalse();
    assertThat(excludes(message(50, 5_000))).isTrue();
    assertThat(excludes(message(50, 0))).isFalse();
    assertThat(excludes(message(101, 5_000))).as("it may just be the next").isFalse();
  }

  @Test
  void both_messages_of_a_sequence_are_known() {
    complete(message(50, 0), message(100, 30));
    complete(message(50, 5_000), message(60, 5_001));

    assertThat(block.layers()).hasSize(2);
    assertThat(contains(message(50, 0))).isTrue();
    assertThat(contains(message(50, 5_000))).isTrue();
    assertThat(contains(message(60, 10))).isFalse();
    assertThat(contains(message(60, 5_001))).isTrue();
    assertThat(contains(message(100, 5_100))).isFalse();
  }

  @Test
  void a_completion_of_the_earlier_life_that_comes_late_takes_nothing_from_the_new_one() {
    complete(message(100, 0));
    complete(message(120, 5_000));
    complete(message(200, 10));

    assertThat(contains(message(120, 5_000))).isTrue();
    assertThat(contains(message(200, 10))).isTrue();
    assertThat(contains(message(200, 6_000))).isFalse();
    assertThat(contains(message(100, 4_990))).isFalse();
  }

  @Test
  void completions_of_two_lives_in_one_batch_are_told_apart() {
    complete(message(90, 0), message(95, 5), message(150, 5_000));

    assertThat(contains(message(90, 0))).isTrue();
    assertThat(contains(message(90, 4_900))).isFalse();
    assertThat(contains(message(95, 4_950))).isFalse();
    assertThat(contains(message(150, 5_000))).isTrue();
  }

  @Test
  void the_end_of_a_life_is_not_forgotten_when_a_slow_stream_goes_on() {
    for (int low = 0; low < 2_000; low++) {
      complete(message(low, low * 60_000L));
    }
    long restored = 2_000 * 60_000L + 2_000;
    for (int low = 2_000; low < 2_100; low++) {
      complete(message(low, restored + (low - 1_990) * 60_000L));
    }
    for (int low = 1_990; low < 2_000; low++) {
      Message again = message(low, restored + (low - 1_990) * 60_000L);
      assertThat(contains(again)).as("%s was not completed", again).isFalse();
      assertThat(contains(message(low, low * 60_000L))).isTrue();
    }
  }

  @Test
  void once_it_is_known_that_a_stream_was_renewed_its_lives_are_kept_apart_for_good() {
    for (int low = 0; low < 2_000; low++) {
      complete(message(low, low * 60_000L));
    }
    long restored = 2_000 * 60_000L + 2_000;
    LedgerRecord.Completions noticed =
        new LedgerRecord.Completions(new RoaringBitmap(), PublishTimes.unbounded());
    noticed.times().add(1_990, T + restored);
    block.apply(++place, noticed, T);
    for (int low = 2_000; low < 20_000; low++) {
      complete(message(low, restored + (low - 1_990) * 60_000L));
    }
    assertThat(contains(message(1_999, restored + 9 * 60_000L))).isFalse();
    assertThat(contains(message(1_999, 1_999 * 60_000L))).isTrue();
    assertThat(contains(message(19_999, restored + 18_009 * 60_000L))).isTrue();
  }

  @Test
  void a_stream_whose_leaders_have_clocks_of_their_own_is_one_stream() {
    for (int low = 0; low < 5_000; low++) {
      complete(message(low, low * 3L + (low / 50 % 2 == 0 ? 0 : 30)));
    }
    assertThat(block.layers()).hasSize(1);
    for (int low = 0; low < 5_000; low++) {
      Message message = message(low, low * 3L + (low / 50 % 2 == 0 ? 0 : 30));
      assertThat(contains(message)).as("%s", message).isTrue();
    }
  }

  @Property(tries = 300)
  void whatever_the_order_all_that_is_completed_is_known_and_nothing_else(@ForAll long seed) {
    BlockTest it = new BlockTest();
    SplittableRandom random = new SplittableRandom(seed);
    List<Message> published = new ArrayList<>();
    long millis = 0;
    int low = random.nextInt(60_000);
    for (int life = 1 + random.nextInt(3); life > 0; life--) {
      for (int i = random.nextInt(60); i >= 0; i--) {
        millis += random.nextInt(random.nextBoolean() ? 5 : 400);
        published.add(message(low++, millis));
      }
      low = Math.max(0, low - random.nextInt(60));
      millis += 500 + random.nextInt(10_000);
    }
    Block other = new Block(KEY);
    Set<Message> completed = new HashSet<>();
    for (int i = random.nextInt(80); i > 0; i--) {
      Message[] some = new Message[1 + random.nextInt(6)];
      for (int j = 0; j < some.length; j++) {
        some[j] = published.get(random.nextInt(published.size()));
        completed.add(some[j]);
      }
      it.complete(some);
      if (random.nextInt(10) == 0) {
        other.apply(++it.place, snapshotOf(it.block), T);
        it.block.apply(++it.place, snapshotOf(other), T);
      }
    }
    other.apply(++it.place, snapshotOf(it.block), T);
    assertThat(published).filteredOn(it::contains).containsExactlyInAnyOrderElementsOf(completed);
    assertThat(published)
        .as("by snapshot")
        .filteredOn(message -> contains(other, message))
        .containsExactlyInAnyOrderElementsOf(completed);
  }
}
