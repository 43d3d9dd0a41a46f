package dev.contrail.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TransitionsTest {
  /** One row per event, one column per state; a dot where the event cannot happen. */
  private static final String TABLE =
      """
                     CHECKING READY    STARTING RUNNING   UNLEASED           TRIED   NOTING    RECORDING          RECORDING_UNLEASED BURYING SETTLED LOST
      CLEARED        READY    .        .        .         .                  .       .         .                  .                  .       .       .
      PREPARED       .        STARTING .        .         .                  .       .         .                  .                  .       .       .
      STARTED        .        RUNNING  RUNNING  .         .                  .       .         .                  .                  .       .       .
      RECALLED       .        .        READY    READY     .                  .       .         .                  .                  .       .       .
      DOUBTED        .        CHECKING .        .         .                  .       .         .                  .                  .       .       .
      NOTE_OUTCOME   .        .        .        NOTING    .                  .       .         .                  .                  .       .       .
      HELD           .        .        .        TRIED     .                  .       TRIED     .                  .                  .       .       .
      RELEASED       .        .        .        .         .                  READY   .         .                  .                  .       .       .
      COMPLETED      .        .        .        RECORDING RECORDING_UNLEASED .       RECORDING .                  .                  .       .       .
      DYING          BURYING  .        .        BURYING   .                  BURYING .         .                  .                  .       .       .
      ACKED          SETTLED  SETTLED  .        SETTLED   .                  .       SETTLED   SETTLED            .                  SETTLED .       .
      NAKED          SETTLED  SETTLED  SETTLED  SETTLED   .                  SETTLED SETTLED   .                  .                  SETTLED .       .
      TERMED         SETTLED  .        .        .         .                  .       .         .                  .                  SETTLED .       .
      STUMBLED       LOST     LOST     LOST     LOST      LOST               LOST    LOST      LOST               LOST               LOST    .       .
      LEASE_LOST     LOST     LOST     LOST     UNLEASED  .                  LOST    LOST      RECORDING_UNLEASED .                  LOST    .       .
      REDELIVERED    CHECKING READY    STARTING RUNNING   RUNNING            TRIED   NOTING    RECORDING          RECORDING          BURYING .       .
      ENDED_UNLEASED .        .        .        .         LOST               .       .         .                  LOST               .       .       .
      """;

  static Stream<Arguments> every_pair_of_state_and_event() {
    List<String[]> rows = TABLE.lines().map(line -> line.strip().split(" +")).toList();
    String[] states = rows.get(0);
    return rows.stream()
        .skip(1)
        .flatMap(
            row ->
                Stream.iterate(0, column -> column + 1)
                    .limit(states.length)
                    .map(column -> Arguments.of(states[column], row[0], row[column + 1])));
  }

  @ParameterizedTest(name = "{0} and {1} → {2}")
  @MethodSource("every_pair_of_state_and_event")
  void an_event_leads_where_the_table_says(
      DeliveryState state, DeliveryEvent event, String expected) {
    Optional<DeliveryState> next =
        expected.equals(".") ? Optional.empty() : Optional.of(DeliveryState.valueOf(expected));

    assertThat(Transitions.next(state, event)).isEqualTo(next);
    if (next.isPresent()) {
      assertThat(Transitions.require(state, event)).isEqualTo(next.get());
    } else {
      assertThatThrownBy(() -> Transitions.require(state, event))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("a message that is " + state + " cannot be " + event);
    }
  }

  @Test
  void the_table_of_this_test_has_every_pair() {
    assertThat(every_pair_of_state_and_event())
        .hasSize(DeliveryState.values().length * DeliveryEvent.values().length)
        .doesNotHaveDuplicates();
  }

  @Test
  void only_what_is_settled_or_lost_is_over_and_nothing_leads_out_of_it() {
    Set<DeliveryState> final_ = EnumSet.noneOf(DeliveryState.class);
    for (DeliveryState state : DeliveryState.values()) {
      if (nextOf(state).isEmpty()) {
        final_.add(state);
      }
      assertThat(state.isOver()).as("%s is over", state).isEqualTo(nextOf(state).isEmpty());
    }

    assertThat(final_).containsExactly(DeliveryState.SETTLED, DeliveryState.LOST);
  }

  @Test
  void every_state_can_be_reached_and_has_a_way_to_its_end() {
    assertThat(reachableFrom(DeliveryState.CHECKING)).containsExactly(DeliveryState.values());
    for (DeliveryState state : DeliveryState.values()) {
      assertThat(reachableFrom(state)).as("after %s", state).anyMatch(DeliveryState::isOver);
    }
  }

  private static Set<DeliveryState> reachableFrom(DeliveryState start) {
    Set<DeliveryState> reached = EnumSet.of(start);
    Deque<DeliveryState> open = new ArrayDeque<>(reached);
    while (!open.isEmpty()) {
      for (DeliveryState next : nextOf(open.remove())) {
        if (reached.add(next)) {
          open.add(next);
        }
      }
    }
    return reached;
  }

  private static List<DeliveryState> nextOf(DeliveryState state) {
    return Arrays.stream(DeliveryEvent.values())
        .flatMap(event -> Transitions.next(state, event).stream())
        .toList();
  }
}
