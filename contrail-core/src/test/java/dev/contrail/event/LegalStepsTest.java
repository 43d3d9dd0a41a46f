package dev.contrail.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.event.LegalSteps.Answer;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LegalStepsTest {
  /**
   * One row per step, one column per state. What it leads to, with {@code !} only by force; a dot
   * where it cannot be taken.
   */
  private static final String TABLE =
      """
                OPEN       REPLAYING   REPLAYED    RESOLVED RETURNED COMPLETED DISCARDED PURGED
      REPLAY    REPLAYING  .           !REPLAYING  .        .        .         .         .
      DISCARDED DISCARDED  !DISCARDED  !DISCARDED  .        .        .         .         .
      RESTORED  .          .           .           !OPEN    .        OPEN      OPEN      .
      EDITED    OPEN       .           .           .        .        .         .         .
      COMPLETED COMPLETED  .           .           .        .        .         .         .
      IMPORTED  OPEN       REPLAYING   REPLAYED    RESOLVED RETURNED COMPLETED DISCARDED OPEN
      PURGED    !PURGED    .           !PURGED     PURGED   PURGED   PURGED    PURGED    .
      """;

  static Stream<Arguments> every_pair_of_state_and_step() {
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

  @ParameterizedTest(name = "{1} of what is {0} → {2}")
  @MethodSource("every_pair_of_state_and_step")
  void a_step_may_be_taken_when_the_table_says_and_leads_where_it_says(
      Status status, Step.Kind step, String cell) {
    if (cell.equals(".")) {
      assertThat(LegalSteps.answer(status, step)).isEqualTo(Answer.NO);
      return;
    }
    boolean forced = cell.startsWith("!");
    assertThat(LegalSteps.answer(status, step)).isEqualTo(forced ? Answer.IF_FORCED : Answer.YES);
    assertThat(LegalSteps.statusAfter(status, step))
        .isEqualTo(Status.valueOf(forced ? cell.substring(1) : cell));
  }

  @Test
  void what_was_replayed_and_discarded_is_restored_by_force_unless_it_was_never_published() {
    EntryState givenUp =
        EntryState.NEW
            .after(Events.replay(1))
            .after(Events.step(2, new Step.Discarded("no longer wanted")));
    Event failed = Events.outcome(1, new ReplayOutcome.Failed("no stream takes it"));
    Event returned = Events.outcome(1, new ReplayOutcome.Returned(Events.NEXT));

    assertThat(restored(givenUp)).as("under way").isEqualTo(Answer.IF_FORCED);
    assertThat(restored(givenUp.after(Events.resolved(1)))).isEqualTo(Answer.IF_FORCED);
    assertThat(restored(givenUp.after(returned))).isEqualTo(Answer.IF_FORCED);
    assertThat(restored(givenUp.after(failed))).isEqualTo(Answer.YES);
    assertThat(LegalSteps.answer(givenUp, Step.Kind.PURGED)).isEqualTo(Answer.YES);
  }

  private static Answer restored(EntryState state) {
    return LegalSteps.answer(state, Step.Kind.RESTORED);
  }

  @Test
  void the_table_of_this_test_has_every_pair() {
    assertThat(every_pair_of_state_and_step())
        .hasSize(Status.values().length * Step.Kind.values().length)
        .doesNotHaveDuplicates();
  }

  @Test
  void words_of_states_and_steps_are_their_names_in_lower_case() {
    for (Status status : Status.values()) {
      assertThat(status.text()).isEqualTo(status.name().toLowerCase(Locale.ROOT));
      assertThat(Status.parse(status.text())).contains(status);
    }
    for (Step.Kind kind : Step.Kind.values()) {
      assertThat(Step.Kind.parse(kind.text())).contains(kind);
    }
    assertThat(Status.parse("OPEN")).isEmpty();
  }
}
