package dev.contrail.operations.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.ledger.SequenceSet;
import dev.contrail.operations.audit.StreamFacts.Limits;
import dev.contrail.operations.audit.StreamFacts.Retention;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CausesTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final Limits NO_LIMITS = new Limits(Duration.ZERO, false, false, false);
  private static final Limits ONE_HOUR = new Limits(Duration.ofHours(1), false, false, false);

  private final Timeline timeline = new Timeline();

  private void published(long sequence, Duration ago) {
    timeline.add(sequence, NOW.minus(ago).toEpochMilli());
  }

  private static StreamFacts stream(Retention retention, long first, Limits limits) {
    return new StreamFacts(
        "S", retention, NOW.minus(Duration.ofDays(3)), first, limits, SequenceSet.of(first, 1_000));
  }

  private static ConsumerFacts consumer(long processed, long deliveries, boolean takesAll) {
    return new ConsumerFacts(
        "c",
        Map.of(Fate.PROCESSED, SequenceSet.of(1, processed)),
        new SequenceSet(),
        takesAll,
        true,
        Optional.of(new ConsumerFacts.Position(1_000, deliveries, 1_000, 0, 0)),
        0);
  }

  private Cause cause(StreamFacts stream, ConsumerFacts consumer, long from, long to) {
    List<Gap> gaps = new Causes(stream, consumer, timeline, NOW).of(SequenceSet.of(from, to));
    assertThat(gaps).hasSize(1);
    assertThat(gaps.get(0).messages()).isEqualTo(to - from + 1);
    return gaps.get(0).cause();
  }

  @Test
  void the_oldest_of_a_stream_without_limits_were_purged() {
    assertThat(cause(stream(Retention.LIMITS, 200, NO_LIMITS), consumer(100, 100, true), 101, 199))
        .isEqualTo(Cause.PURGED);
  }

  @Test
  void what_is_older_than_the_max_age_has_expired() {
    published(100, Duration.ofHours(2));
    published(200, Duration.ofMinutes(59));
    assertThat(cause(stream(Retention.LIMITS, 200, ONE_HOUR), consumer(100, 100, true), 101, 199))
        .isEqualTo(Cause.EXPIRED);
  }

  @Test
  void what_is_younger_than_the_max_age_was_purged_instead() {
    published(100, Duration.ofMinutes(10));
    assertThat(cause(stream(Retention.LIMITS, 200, ONE_HOUR), consumer(100, 100, true), 101, 199))
        .isEqualTo(Cause.PURGED);
  }

  @Test
  void a_full_stream_lets_the_oldest_go() {
    Limits full = new Limits(Duration.ofHours(1), true, false, false);
    published(100, Duration.ofHours(2));
    published(200, Duration.ofMinutes(10));
    assertThat(cause(stream(Retention.LIMITS, 200, full), consumer(100, 100, true), 101, 199))
        .isEqualTo(Cause.OVER_LIMIT);
  }

  @Test
  void in_the_midst_of_others_they_were_deleted() {
    StreamFacts stream =
        new StreamFacts(
            "S",
            Retention.LIMITS,
            NOW,
            1,
            ONE_HOUR,
            SequenceSet.of(1, 1_000).minus(SequenceSet.of(300, 310)));
    assertThat(cause(stream, consumer(299, 299, true), 300, 310)).isEqualTo(Cause.DELETED);
  }

  @Test
  void deliveries_that_are_not_on_record_were_taken_by_somebody_else() {
    StreamFacts stream = stream(Retention.WORKQUEUE, 1_001, NO_LIMITS);
    assertThat(cause(stream, consumer(950, 1_000, true), 951, 1_000)).isEqualTo(Cause.NO_LEDGER);
    assertThat(cause(stream, consumer(950, 950, true), 951, 1_000)).isEqualTo(Cause.PURGED);
  }

  @Test
  void what_is_stored_and_cannot_have_been_delivered_was_passed_over() {
    StreamFacts stream = stream(Retention.LIMITS, 1, NO_LIMITS);
    assertThat(cause(stream, consumer(950, 950, true), 951, 1_000)).isEqualTo(Cause.PASSED_OVER);
    assertThat(cause(stream, consumer(950, 1_000, true), 951, 1_000)).isEqualTo(Cause.NO_LEDGER);
    // Made again since, it counts its deliveries from then on.
    assertThat(cause(stream, consumer(950, 50, true), 951, 1_000)).isEqualTo(Cause.NO_LEDGER);
  }

  @Test
  void what_is_scattered_was_rather_taken_than_purged() {
    StreamFacts stream = stream(Retention.WORKQUEUE, 1_001, NO_LIMITS);
    SequenceSet gone = SequenceSet.of(700, 1_000);
    gone.add(10);
    gone.add(20);
    ConsumerFacts consumer =
        new ConsumerFacts(
            "c",
            Map.of(Fate.PROCESSED, SequenceSet.of(1, 699).minus(gone)),
            new SequenceSet(),
            true,
            true,
            Optional.of(new ConsumerFacts.Position(1_000, 699, 1_000, 0, 0)),
            0);
    assertThat(new Causes(stream, consumer, timeline, NOW).of(gone))
        .extracting(Gap::cause)
        .containsExactly(Cause.NO_LEDGER, Cause.NO_LEDGER, Cause.PURGED);
  }

  @Test
  void on_a_limits_stream_acknowledging_removes_nothing_so_it_explains_nothing() {
    StreamFacts stream = stream(Retention.LIMITS, 1_001, NO_LIMITS);
    assertThat(cause(stream, consumer(950, 1_000, true), 951, 1_000)).isEqualTo(Cause.PURGED);
  }

  @Test
  void a_gap_is_cut_where_the_stream_begins() {
    List<Gap> gaps =
        new Causes(
                stream(Retention.LIMITS, 200, NO_LIMITS), consumer(100, 250, true), timeline, NOW)
            .of(SequenceSet.of(150, 250));
    assertThat(gaps).extracting(Gap::from).containsExactly(150L, 200L);
    assertThat(gaps).extracting(Gap::cause).containsExactly(Cause.PURGED, Cause.NO_LEDGER);
  }

  @Test
  void of_a_consumer_with_a_filter_it_is_said_that_the_subject_is_not_known() {
    Gap gap =
        new Causes(
                stream(Retention.LIMITS, 200, NO_LIMITS), consumer(100, 100, false), timeline, NOW)
            .of(SequenceSet.of(101, 199))
            .get(0);
    assertThat(gap.reason()).contains("their subjects are not known any more");
    assertThat(
            cause(stream(Retention.INTEREST, 200, NO_LIMITS), consumer(100, 100, false), 101, 199))
        .isEqualTo(Cause.UNKNOWN);
  }
}
