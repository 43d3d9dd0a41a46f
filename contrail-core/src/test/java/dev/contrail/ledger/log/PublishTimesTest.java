package dev.contrail.ledger.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** Publish times tell a message from an earlier one that had its sequence. */
class PublishTimesTest {
  private static final long T = 1_800_000_000_000L;

  /** How far apart two messages must be to be told from each other for certain. */
  private static final long TOLD_APART = 200;

  private record Published(int low, long millis) {}

  /** Remembers all, and looks at all. */
  private static final class Naive {
    final List<Published> all = new ArrayList<>();

    boolean agrees(int low, long millis, long within) {
      return all.stream()
          .allMatch(
              known ->
                  (known.low < low || millis <= known.millis + within)
                      && (known.low > low || millis >= known.millis - within));
    }
  }

  private static PublishTimes of(Published... published) {
    PublishTimes times = PublishTimes.bounded();
    for (Published one : published) {
      times.add(one.low, one.millis);
    }
    return times;
  }

  private static boolean agree(PublishTimes times, int low, long millis) {
    return times.agree(low, millis, PublishTimes.SAME_MILLIS);
  }

  @Test
  void nothing_contradicts_when_nothing_is_known() {
    assertThat(agree(PublishTimes.bounded(), 7, T)).isTrue();
  }

  @Test
  void a_message_is_not_younger_than_one_after_it() {
    PublishTimes times = of(new Published(100, T));
    assertThat(agree(times, 50, T - 86_400_000)).isTrue();
    assertThat(agree(times, 50, T + 160)).isTrue();
    assertThat(agree(times, 50, T + 161)).isFalse();
  }

  @Test
  void a_message_is_not_older_than_one_before_it() {
    PublishTimes times = of(new Published(100, T));
    assertThat(agree(times, 150, T + 86_400_000)).isTrue();
    assertThat(agree(times, 150, T - 160)).isTrue();
    assertThat(agree(times, 150, T - 161)).isFalse();
  }

  @Test
  void the_same_sequence_at_another_time_is_another_message() {
    PublishTimes times = of(new Published(100, T));
    assertThat(agree(times, 100, T + 100)).isTrue();
    assertThat(agree(times, 100, T + 1_000)).isFalse();
    assertThat(agree(times, 100, T - 1_000)).isFalse();
  }

  @Test
  void what_lies_close_in_time_is_kept_as_its_ends() {
    PublishTimes times = PublishTimes.bounded();
    for (int low = 0; low < 20_000; low++) {
      times.add(low, T + low / 1_000);
    }
    assertThat(times.size()).isEqualTo(2);
    assertThat(times.low(0)).isZero();
    assertThat(times.low(1)).isEqualTo(19_999);
  }

  @Test
  void no_more_are_kept_than_there_is_room_for_and_the_latest_all() {
    PublishTimes times = PublishTimes.bounded();
    for (int low = 0; low < 60_000; low++) {
      times.add(low, T + low * 1_000L);
    }
    assertThat(times.size()).isEqualTo(PublishTimes.MOST);
    for (int low = 60_000 - PublishTimes.LATEST + 1; low < 60_000; low++) {
      assertThat(agree(times, low, T + low * 1_000L)).as("%s itself", low).isTrue();
      assertThat(agree(times, low, T + low * 1_000L + 201)).as("%s younger", low).isFalse();
      assertThat(agree(times, low, T + low * 1_000L - 201)).as("%s older", low).isFalse();
    }
    assertThat(agree(times, 5, T + 5_000)).isTrue();
    assertThat(agree(times, 5, T + 60_000_000)).as("of another day").isFalse();
  }

  @Property
  void what_was_added_agrees_and_what_was_not_does_not(
      @ForAll("messages") List<Published> messages, @ForAll("questions") List<Published> asked) {
    PublishTimes times = PublishTimes.unbounded();
    Naive naive = new Naive();
    for (Published message : messages) {
      if (times.agree(message.low, message.millis, PublishTimes.SKEW_MILLIS)) {
        times.add(message.low, message.millis);
        naive.all.add(message);
      }
    }
    for (Published known : naive.all) {
      assertThat(agree(times, known.low, known.millis)).as("%s is one of them", known).isTrue();
    }
    for (Published question : asked) {
      boolean agrees = agree(times, question.low, question.millis);
      if (!agrees) {
        assertThat(naive.agrees(question.low, question.millis, PublishTimes.SKEW_MILLIS))
            .as("%s contradicts one of them", question)
            .isFalse();
      }
    }
  }

  @Property
  void two_messages_of_one_sequence_are_told_apart(
      @ForAll("ascending") List<Published> messages,
      @ForAll @IntRange(min = 0, max = 199) int which,
      @ForAll @LongRange(min = TOLD_APART + 1, max = 5_000) long apart) {
    PublishTimes times = PublishTimes.unbounded();
    messages.forEach(message -> times.add(message.low, message.millis));
    Published known = messages.get(which % messages.size());

    assertThat(agree(times, known.low, known.millis)).isTrue();
    assertThat(agree(times, known.low, known.millis + apart)).as("younger").isFalse();
    assertThat(agree(times, known.low, known.millis - apart)).as("older").isFalse();
  }

  @Property
  void they_ascend_in_whatever_order_they_came(@ForAll("messages") List<Published> messages) {
    PublishTimes times = PublishTimes.bounded();
    for (Published message : messages) {
      if (times.agree(message.low, message.millis, PublishTimes.SKEW_MILLIS)) {
        times.add(message.low, message.millis);
      }
    }
    for (int i = 1; i < times.size(); i++) {
      assertThat(times.low(i)).isGreaterThan(times.low(i - 1));
      assertThat(times.millis(i)).isGreaterThanOrEqualTo(times.millis(i - 1));
    }
  }

  /** In any order, of clocks that are some milliseconds off, and some of another life. */
  @Provide
  Arbitrary<List<Published>> messages() {
    Arbitrary<Integer> lows = Arbitraries.integers().between(0, 400);
    Arbitrary<Integer> jitter = Arbitraries.integers().between(-10, 10);
    Arbitrary<Integer> life = Arbitraries.frequency(Tuple.of(8, 0), Tuple.of(1, 30_000));
    return Combinators.combine(lows, jitter, life)
        .as((low, off, later) -> new Published(low, T + low * 17L + off + later))
        .list()
        .ofMaxSize(200);
  }

  @Provide
  Arbitrary<List<Published>> questions() {
    Arbitrary<Integer> lows = Arbitraries.integers().between(0, 400);
    Arbitrary<Integer> off = Arbitraries.integers().between(-40_000, 40_000);
    return Combinators.combine(lows, off)
        .as((low, later) -> new Published(low, T + low * 17L + later))
        .list()
        .ofMaxSize(50);
  }

  /** Of one life, in their order. */
  @Provide
  Arbitrary<List<Published>> ascending() {
    Arbitrary<Integer> gaps = Arbitraries.integers().between(1, 50);
    Arbitrary<Integer> waits =
        Arbitraries.frequencyOf(
            Tuple.of(6, Arbitraries.integers().between(0, 5)),
            Tuple.of(2, Arbitraries.integers().between(0, 100)),
            Tuple.of(1, Arbitraries.integers().between(0, 5_000)));
    return Combinators.combine(gaps, waits)
        .as(Published::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(200)
        .map(PublishTimesTest::accumulated);
  }

  private static List<Published> accumulated(List<Published> steps) {
    List<Published> messages = new ArrayList<>();
    int low = 0;
    long millis = T;
    for (Published step : steps) {
      low += step.low;
      millis += step.millis;
      messages.add(new Published(low, millis));
    }
    return messages;
  }
}
