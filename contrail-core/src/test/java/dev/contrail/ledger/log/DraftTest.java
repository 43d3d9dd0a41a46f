package dev.contrail.ledger.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

/** Completions of one block become one record, or one for each life of their stream. */
class DraftTest {
  private static final long T = 1_800_000_000_000L;

  private static List<RoaringBitmap> lows(Message... messages) {
    Draft draft = new Draft();
    for (Message message : messages) {
      draft.add(message.sequence(), message.publishedMillis());
    }
    return draft.records().stream().map(LedgerRecord.Completions::lows).toList();
  }

  @Test
  void completions_in_any_order_make_one_record() {
    assertThat(lows(new Message(65_540, T + 4), new Message(65_536, T), new Message(65_539, T + 3)))
        .containsExactly(RoaringBitmap.bitmapOf(0, 3, 4));
  }

  @Test
  void the_upper_half_of_a_block_is_no_different() {
    assertThat(lows(new Message(65_535, T + 9), new Message(32_768, T + 4), new Message(2, T)))
        .containsExactly(RoaringBitmap.bitmapOf(2, 32_768, 65_535));
  }

  @Test
  void a_completion_that_is_told_twice_is_in_it_once() {
    assertThat(lows(new Message(7, T), new Message(7, T)))
        .containsExactly(RoaringBitmap.bitmapOf(7));
  }

  @Test
  void more_than_there_was_room_for_at_first() {
    Draft draft = new Draft();
    for (int low = 0; low <= BlockKey.LOW; low++) {
      draft.add(low, T + low / 100);
    }
    assertThat(draft.records()).hasSize(1);
    assertThat(draft.records().get(0).lows().getCardinality()).isEqualTo(65_536);
  }

  @Test
  void clocks_that_are_some_milliseconds_off_make_no_second_record() {
    assertThat(lows(new Message(1, T + 40), new Message(2, T), new Message(3, T + 20))).hasSize(1);
  }

  @Test
  void a_message_that_is_older_than_one_before_it_is_of_another_life() {
    assertThat(lows(new Message(90, T + 5_000), new Message(150, T), new Message(95, T + 5_001)))
        .containsExactlyInAnyOrder(RoaringBitmap.bitmapOf(90, 95), RoaringBitmap.bitmapOf(150));
  }

  @Test
  void two_messages_of_one_sequence_go_into_two_records() {
    assertThat(lows(new Message(7, T), new Message(7, T + 1_000)))
        .containsExactly(RoaringBitmap.bitmapOf(7), RoaringBitmap.bitmapOf(7));
  }

  @Test
  void each_completion_lies_close_in_time_to_one_before_and_one_after_it() {
    Draft draft = new Draft();
    for (int low = 0; low < 2_000; low++) {
      draft.add(low, T + low * 7L + (low > 1_000 ? 3_000 : 0));
    }
    PublishTimes times = draft.records().get(0).times();
    for (int low = 0; low < 2_000; low++) {
      long millis = T + low * 7L + (low > 1_000 ? 3_000 : 0);
      assertThat(times.agree(low, millis, 20)).as("%s itself", low).isTrue();
      assertThat(times.agree(low, millis + 50, 20)).as("%s younger", low).isFalse();
      assertThat(times.agree(low, millis - 50, 20)).as("%s older", low).isFalse();
    }
  }

  @Test
  void times_before_1970_and_after_all_ages_do_no_harm() {
    assertThat(lows(new Message(1, -5), new Message(2, Long.MAX_VALUE)))
        .containsExactly(RoaringBitmap.bitmapOf(1, 2));
  }
}
