package dev.contrail.operations.stranded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.contrail.operations.stranded.Stranding.Certain;
import dev.contrail.operations.stranded.Stranding.Suspected;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StrandingsTest {
  private static final Instant MADE = Instant.parse("2026-01-01T00:00:00Z");

  /** A consumer that has passed sequence 100 and is idle. */
  private static final ConsumerView IDLE = consumer("c", 3, 0, 0);

  @Test
  void what_an_idle_consumer_with_a_limit_has_passed_is_stranded() {
    assertThat(look(List.of(IDLE), List.of(IDLE)))
        .containsExactly(
            new Certain(
                "s.a",
                4,
                100,
                List.of(IDLE),
                Optional.of("c"),
                "consumer c has used up its deliveries and waits for nothing"));
  }

  @Test
  void nothing_is_certain_while_something_is_pending_or_unacked_in_either_view() {
    for (ConsumerView busy : List.of(consumer("c", 3, 1, 0), consumer("c", 3, 0, 1))) {
      assertThat(look(List.of(IDLE), List.of(busy))).noneMatch(Certain.class::isInstance);
      assertThat(look(List.of(busy), List.of(IDLE))).noneMatch(Certain.class::isInstance);
      assertThat(look(List.of(busy), List.of(busy))).noneMatch(Certain.class::isInstance);
    }
  }

  @Test
  void a_delivery_between_the_views_makes_it_uncertain() {
    ConsumerView since = moved(IDLE, IDLE.given() + 1);
    assertThat(look(List.of(IDLE), List.of(since)))
        .singleElement()
        .isInstanceOfSatisfying(Suspected.class, it -> assertThat(it.count()).isEqualTo(4));
  }

  @Test
  void a_consumer_that_came_or_went_between_the_views_makes_it_uncertain() {
    ConsumerView other = consumer("d", 3, 0, 0);
    assertThat(look(List.of(IDLE), List.of(IDLE, other))).noneMatch(Certain.class::isInstance);
    assertThat(look(List.of(IDLE, other), List.of(IDLE))).noneMatch(Certain.class::isInstance);
  }

  @Test
  void more_than_is_outstanding_is_suspected_and_only_that() {
    ConsumerView busy = consumer("c", 3, 1, 2);
    assertThat(look(List.of(busy), List.of(busy)))
        .singleElement()
        .isInstanceOfSatisfying(Suspected.class, it -> assertThat(it.count()).isEqualTo(1));
    ConsumerView busier = consumer("c", 3, 1, 3);
    assertThat(look(List.of(busier), List.of(busier))).isEmpty();
  }

  @Test
  void what_was_published_while_subjects_were_counted_is_not_suspected() {
    ConsumerView busy = consumer("c", 3, 0, 1);
    assertThat(seen(100, List.of(busy), 103, List.of(busy))).isEmpty();
    assertThat(seen(100, List.of(busy), 102, List.of(busy)))
        .singleElement()
        .satisfies(it -> assertThat(it.count()).isEqualTo(1));
  }

  @Test
  void a_consumer_without_a_limit_gives_up_on_nothing() {
    ConsumerView unlimited = consumer("c", 0, 0, 0);
    assertThat(look(List.of(unlimited), List.of(unlimited)))
        .singleElement()
        .isInstanceOf(Suspected.class);
  }

  @Test
  void a_consumer_that_was_never_given_anything_gave_up_on_nothing() {
    ConsumerView fresh = moved(IDLE, 0);
    assertThat(look(List.of(fresh), List.of(fresh))).singleElement().isInstanceOf(Suspected.class);
  }

  @Test
  void a_consumer_that_made_too_few_deliveries_did_not_use_them_up() {
    // 4 stored, MaxDeliver 3.
    assertThat(look(List.of(moved(IDLE, 12)), List.of(moved(IDLE, 12))))
        .singleElement()
        .isInstanceOf(Certain.class);
    assertThat(look(List.of(moved(IDLE, 11)), List.of(moved(IDLE, 11))))
        .singleElement()
        .isInstanceOfSatisfying(
            Suspected.class,
            it -> {
              assertThat(it.count()).isEqualTo(4);
              assertThat(it.subjects()).containsExactly("s.a");
              assertThat(it.why())
                  .startsWith("passed by c, which is not known to have used them up");
            });
  }

  @Test
  void the_deliveries_are_held_against_all_subjects_of_the_consumer() {
    List<ConsumerView> one = List.of(moved(IDLE, 14));
    assertThat(
            Strandings.in(
                new Observation(100, one, Map.of("s.a", 4L, "s.b", 1L), 100, one, List.of())))
        .hasSize(2)
        .allMatch(Suspected.class::isInstance);
  }

  @Test
  void what_several_may_have_given_up_on_takes_the_deliveries_of_all() {
    List<ConsumerView> enough = List.of(moved(IDLE, 9), moved(consumer("d", 3, 0, 0), 3));
    assertThat(look(enough, enough)).singleElement().isInstanceOf(Certain.class);
    List<ConsumerView> few = List.of(moved(IDLE, 8), moved(consumer("d", 3, 0, 0), 5));
    assertThat(look(few, few)).singleElement().isInstanceOf(Suspected.class);
  }

  @Test
  void what_was_not_given_twice_was_not_given_up_on_however_much_else_was_given() {
    List<ConsumerView> widened = List.of(again(IDLE, 1_000, 3));
    assertThat(look(widened, widened)).singleElement().isInstanceOf(Suspected.class);
    List<ConsumerView> gaveUp = List.of(again(IDLE, 1_000, 4));
    assertThat(look(gaveUp, gaveUp)).singleElement().isInstanceOf(Certain.class);
  }

  @Test
  void with_a_limit_of_one_all_that_was_ever_given_must_have_failed_or_be_counted() {
    ConsumerView once = consumer("c", 1, 0, 0);
    List<ConsumerView> all = List.of(again(once, 4, 0));
    assertThat(look(all, all)).singleElement().isInstanceOf(Certain.class);
    List<ConsumerView> counted = List.of(again(once, 5, 4));
    assertThat(look(counted, counted)).singleElement().isInstanceOf(Certain.class);
    List<ConsumerView> some = List.of(again(once, 5, 0));
    assertThat(look(some, some)).singleElement().isInstanceOf(Suspected.class);
  }

  @Test
  void a_consumer_that_cannot_have_done_it_does_not_shield_another() {
    ConsumerView wide = moved(consumer("c", 3, 0, 0), 1);
    ConsumerView other =
        new ConsumerView(
            "d",
            MADE,
            List.of("t.>"),
            Optional.empty(),
            Optional.of(3L),
            true,
            9,
            100,
            90,
            0,
            0,
            9);
    List<ConsumerView> both = List.of(filteredIdle("e", "u.>"), other, narrowed(wide, "s.>"));
    assertThat(
            Strandings.in(
                new Observation(100, both, Map.of("s.a", 4L, "t.a", 3L), 100, both, List.of())))
        .extracting(it -> it instanceof Certain, Stranding::count)
        .containsExactly(tuple(true, 3L), tuple(false, 4L));
  }

  @Test
  void of_two_consumers_with_limits_none_is_accused() {
    List<ConsumerView> both = List.of(IDLE, consumer("d", 5, 0, 0));
    assertThat(look(both, both))
        .singleElement()
        .isInstanceOfSatisfying(
            Certain.class,
            it -> {
              assertThat(it.givenUpBy()).isEmpty();
              assertThat(it.why()).contains("one of the consumers c, d");
            });
  }

  @Test
  void of_two_consumers_the_one_with_a_limit_is_accused() {
    List<ConsumerView> both = List.of(consumer("b", 0, 0, 0), IDLE);
    assertThat(look(both, both))
        .singleElement()
        .isInstanceOfSatisfying(Certain.class, it -> assertThat(it.givenUpBy()).contains("c"));
  }

  @Test
  void a_consumer_that_starts_after_them_is_not_accused() {
    ConsumerView late =
        new ConsumerView(
            "d", MADE, List.of(), Optional.of(101L), Optional.of(3L), true, 7, 120, 120, 0, 0, 7);
    assertThat(look(List.of(IDLE, late), List.of(IDLE, late)))
        .singleElement()
        .isInstanceOfSatisfying(Certain.class, it -> assertThat(it.givenUpBy()).contains("c"));
  }

  @Test
  void what_another_consumer_still_wants_is_not_stranded() {
    List<ConsumerView> both = List.of(IDLE, consumer("d", 3, 4, 0));
    assertThat(look(both, both)).isEmpty();
  }

  @Test
  void only_what_all_have_passed_is_stranded() {
    ConsumerView behind =
        new ConsumerView(
            "d", MADE, List.of(), Optional.empty(), Optional.empty(), true, 5, 60, 60, 0, 0, 5);
    assertThat(look(List.of(IDLE, behind), List.of(IDLE, behind)))
        .singleElement()
        .isInstanceOfSatisfying(Certain.class, it -> assertThat(it.upTo()).isEqualTo(60));
  }

  @Test
  void consumers_that_share_subjects_are_counted_together() {
    ConsumerView left = filtered("l", 3, "s.a", "s.b");
    ConsumerView right = filtered("r", 3, "s.b", "s.c");
    Observation seen =
        new Observation(
            100,
            List.of(left, right),
            Map.of("s.a", 2L, "s.b", 2L, "s.c", 2L),
            100,
            List.of(left, right),
            List.of());
    // 6 stored; l may have three of them outstanding, and r three.
    assertThat(Strandings.in(seen)).isEmpty();
  }

  @Test
  void subjects_that_nobody_claims_or_that_a_stream_copies_are_not_its_affair() {
    ConsumerView other = filteredIdle("c", "t.>");
    assertThat(look(List.of(other), List.of(other))).isEmpty();
    Observation copied =
        new Observation(
            100,
            List.of(IDLE),
            Map.of("s.a", 4L),
            100,
            List.of(IDLE),
            List.of(new Observation.Reader("COPY", List.of("s.>"))));
    assertThat(Strandings.in(copied)).isEmpty();
  }

  @Test
  void it_holds_while_the_same_consumers_claim_the_subject_and_only_go_on() {
    Certain certain = (Certain) look(List.of(IDLE), List.of(IDLE)).get(0);
    ConsumerView elsewhere = filteredIdle("d", "t.>");
    assertThat(certain.holds(List.of(IDLE))).isTrue();
    assertThat(certain.holds(List.of(IDLE, elsewhere))).isTrue();
    assertThat(certain.holds(List.of())).isFalse();
    assertThat(certain.holds(List.of(IDLE, consumer("d", 3, 0, 0)))).isFalse();
    assertThat(certain.holds(List.of(moved(IDLE, 21)))).isTrue();
    assertThat(certain.holds(List.of(moved(IDLE, 19)))).isFalse();
    assertThat(certain.holds(List.of(consumer("c", 4, 0, 0)))).isFalse();
  }

  private static List<Stranding> look(List<ConsumerView> first, List<ConsumerView> second) {
    return seen(100, first, 100, second);
  }

  private static List<Stranding> seen(
      long before, List<ConsumerView> first, long after, List<ConsumerView> second) {
    return Strandings.in(
        new Observation(before, first, Map.of("s.a", 4L), after, second, List.of()));
  }

  private static ConsumerView consumer(String name, long limit, long pending, long unacked) {
    return new ConsumerView(
        name,
        MADE,
        List.of(),
        Optional.empty(),
        limit > 0 ? Optional.of(limit) : Optional.empty(),
        true,
        20,
        100,
        90,
        pending,
        unacked,
        20);
  }

  private static ConsumerView filtered(String name, long pending, String... filters) {
    return new ConsumerView(
        name,
        MADE,
        List.of(filters),
        Optional.empty(),
        Optional.of(3L),
        true,
        20,
        100,
        90,
        pending,
        0,
        20);
  }

  private static ConsumerView filteredIdle(String name, String... filters) {
    return filtered(name, 0, filters);
  }

  private static ConsumerView narrowed(ConsumerView it, String filter) {
    return new ConsumerView(
        it.name(),
        it.created(),
        List.of(filter),
        it.startsAt(),
        it.deliveryLimit(),
        it.acks(),
        it.given(),
        it.passed(),
        it.ackFloor(),
        it.pending(),
        it.unacked(),
        it.redelivered());
  }

  private static ConsumerView again(ConsumerView it, long given, long redelivered) {
    return new ConsumerView(
        it.name(),
        it.created(),
        it.filters(),
        it.startsAt(),
        it.deliveryLimit(),
        it.acks(),
        given,
        it.passed(),
        it.ackFloor(),
        it.pending(),
        it.unacked(),
        redelivered);
  }

  private static ConsumerView moved(ConsumerView it, long given) {
    return again(it, given, it.redelivered());
  }
}
