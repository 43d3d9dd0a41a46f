package dev.contrail.operations.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.ledger.SequenceSet;
import dev.contrail.operations.audit.StreamFacts.Retention;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ClassificationTest {
  private static final int LAST = 60;
  private static final SequenceSet ALL = SequenceSet.of(1, LAST);
  private static final StreamFacts.Limits NONE =
      new StreamFacts.Limits(Duration.ZERO, false, false, false);

  private static StreamFacts stream(Retention retention, SequenceSet present) {
    return new StreamFacts("S", retention, Instant.EPOCH, 1, NONE, present);
  }

  private static ConsumerFacts consumer(
      Map<Fate, SequenceSet> onRecord, Optional<ConsumerFacts.Position> position) {
    return new ConsumerFacts("c", onRecord, new SequenceSet(), true, true, position, 0);
  }

  private static Optional<ConsumerFacts.Position> at(long delivered, long floor, long inFlight) {
    return Optional.of(new ConsumerFacts.Position(delivered, delivered, floor, inFlight, 0));
  }

  private static SequenceSet some(Random random) {
    SequenceSet set = new SequenceSet();
    for (int i = 0; i <= LAST + 5; i++) {
      if (random.nextInt(3) == 0) {
        set.add(i);
      }
    }
    return set;
  }

  private static ConsumerFacts anyConsumer(Random random) {
    Map<Fate, SequenceSet> onRecord = new EnumMap<>(Fate.class);
    for (Fate fate :
        new Fate[] {Fate.PROCESSED, Fate.SKIPPED, Fate.DEAD, Fate.RESOLVED, Fate.DISCARDED}) {
      if (random.nextBoolean()) {
        onRecord.put(fate, some(random));
      }
    }
    long delivered = random.nextInt(LAST + 5);
    return new ConsumerFacts(
        "c",
        onRecord,
        some(random),
        random.nextBoolean(),
        random.nextBoolean(),
        random.nextInt(5) == 0
            ? Optional.empty()
            : at(delivered, random.nextInt(LAST + 5), random.nextInt(9)),
        random.nextInt(9));
  }

  private static void assertPartition(Classification found) {
    long together = 0;
    SequenceSet union = new SequenceSet();
    for (Fate fate : Fate.values()) {
      together += found.of(fate).count();
      union.add(found.of(fate));
    }
    assertThat(union).as("every sequence has a fate").isEqualTo(ALL);
    assertThat(together).as("no sequence has two").isEqualTo(LAST);
  }

  @Property
  void every_sequence_has_one_fate_and_none_is_processed_without_the_ledger(@ForAll long seed) {
    Random random = new Random(seed);
    Retention retention = List.of(Retention.values()).get(random.nextInt(3));
    ConsumerFacts consumer = anyConsumer(random);
    SequenceSet ledger = consumer.onRecord().getOrDefault(Fate.PROCESSED, new SequenceSet());

    Classification first = Classification.of(ALL, stream(retention, some(random)), consumer);
    assertPartition(first);
    assertThat(first.of(Fate.PROCESSED)).isEqualTo(ledger.and(ALL));

    Classification second =
        Classification.of(ALL, stream(retention, some(random)), anyConsumer(random));
    Classification agreed = second.after(first);
    assertPartition(agreed);
    SequenceSet unaccounted = agreed.of(Fate.UNACCOUNTED);
    SequenceSet doubtedAtFirst = first.of(Fate.UNACCOUNTED);
    doubtedAtFirst.add(first.of(Fate.ORPHANED));
    assertThat(unaccounted.minus(doubtedAtFirst))
        .as("doubts that are new")
        .isEqualTo(new SequenceSet());
  }

  @Property
  void what_is_in_flight_is_never_more_than_the_server_says(@ForAll long seed) {
    Random random = new Random(seed);
    ConsumerFacts consumer = anyConsumer(random);
    Classification found = Classification.of(ALL, stream(Retention.LIMITS, some(random)), consumer);
    assertThat(found.of(Fate.IN_FLIGHT).count())
        .isLessThanOrEqualTo(consumer.position().map(it -> it.inFlight()).orElse(0L));
  }

  @Test
  void what_was_delivered_and_is_neither_in_flight_nor_on_record_is_unaccounted_for() {
    Classification found =
        Classification.of(
            ALL,
            stream(Retention.LIMITS, ALL),
            consumer(Map.of(Fate.PROCESSED, SequenceSet.of(1, 10)), at(20, 10, 4)));
    assertThat(found.of(Fate.PROCESSED)).isEqualTo(SequenceSet.of(1, 10));
    assertThat(found.of(Fate.UNACCOUNTED)).isEqualTo(SequenceSet.of(11, 16));
    assertThat(found.of(Fate.IN_FLIGHT)).isEqualTo(SequenceSet.of(17, 20));
    assertThat(found.of(Fate.WAITING)).isEqualTo(SequenceSet.of(21, LAST));
  }

  @Test
  void on_a_workqueue_what_stays_is_orphaned() {
    Classification found =
        Classification.of(
            ALL,
            stream(Retention.WORKQUEUE, SequenceSet.of(5, 6)),
            consumer(Map.of(), at(60, 60, 0)));
    assertThat(found.of(Fate.ORPHANED)).isEqualTo(SequenceSet.of(5, 6));
    assertThat(found.of(Fate.UNACCOUNTED)).isEqualTo(ALL.minus(SequenceSet.of(5, 6)));
  }

  @Test
  void a_record_counts_more_than_where_the_message_is() {
    Map<Fate, SequenceSet> onRecord =
        Map.of(Fate.DEAD, SequenceSet.of(1, 60), Fate.PROCESSED, SequenceSet.of(3, 3));
    Classification found =
        Classification.of(ALL, stream(Retention.LIMITS, ALL), consumer(onRecord, at(0, 0, 0)));
    assertThat(found.of(Fate.PROCESSED)).isEqualTo(SequenceSet.of(3, 3));
    assertThat(found.of(Fate.DEAD).count()).isEqualTo(59);
  }

  @Test
  void a_doubt_that_is_gone_when_looked_at_again_is_none() {
    Classification first =
        Classification.of(
            ALL, stream(Retention.LIMITS, new SequenceSet()), consumer(Map.of(), at(0, 0, 0)));
    Classification second =
        Classification.of(
            ALL,
            stream(Retention.LIMITS, new SequenceSet()),
            consumer(Map.of(Fate.PROCESSED, SequenceSet.of(1, 50)), at(0, 0, 0)));
    assertThat(second.after(first).of(Fate.UNACCOUNTED)).isEqualTo(SequenceSet.of(51, 60));
  }

  @Test
  void what_was_waiting_at_first_and_is_gone_at_the_second_look_was_waiting() {
    Classification first =
        Classification.of(ALL, stream(Retention.LIMITS, ALL), consumer(Map.of(), at(0, 0, 0)));
    Classification second =
        Classification.of(
            ALL, stream(Retention.LIMITS, new SequenceSet()), consumer(Map.of(), at(0, 0, 0)));
    assertThat(second.after(first).of(Fate.WAITING)).isEqualTo(ALL);
  }
}
