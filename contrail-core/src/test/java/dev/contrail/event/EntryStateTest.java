package dev.contrail.event;

import static dev.contrail.event.Events.NEXT;
import static dev.contrail.event.Events.SHA256;
import static dev.contrail.event.Events.note;
import static dev.contrail.event.Events.outcome;
import static dev.contrail.event.Events.replay;
import static dev.contrail.event.Events.resolved;
import static dev.contrail.event.Events.run;
import static dev.contrail.event.Events.skipped;
import static dev.contrail.event.Events.step;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EntryStateTest {
  private static final Event FAILED = outcome(1, new ReplayOutcome.Failed("no stream takes it"));
  private static final Event RETURNED = outcome(1, new ReplayOutcome.Returned(NEXT));
  private static final Event DISCARDED = step(2, new Step.Discarded("old"));

  static Stream<Arguments> histories() {
    return Stream.of(
        Arguments.of("nothing", Status.OPEN, List.of()),
        Arguments.of("a note", Status.OPEN, List.of(note())),
        Arguments.of("a replay begun", Status.REPLAYING, List.of(replay(1))),
        Arguments.of("its copy claimed", Status.REPLAYED, List.of(replay(1), run(1))),
        Arguments.of("its copy met by another", Status.REPLAYED, List.of(replay(1), skipped(1))),
        Arguments.of("processed", Status.RESOLVED, List.of(replay(1), run(1), resolved(1))),
        Arguments.of("processed, no claim", Status.RESOLVED, List.of(replay(1), resolved(1))),
        Arguments.of("a claim read late", Status.RESOLVED, List.of(replay(1), resolved(1), run(1))),
        Arguments.of("died again", Status.RETURNED, List.of(replay(1), run(1), RETURNED)),
        Arguments.of("never published", Status.OPEN, List.of(replay(1), FAILED)),
        Arguments.of(
            "given up, not told yet",
            Status.REPLAYING,
            List.of(replay(1), Events.claim(1, 1, new Fact.Barred("full")))),
        Arguments.of(
            "given up",
            Status.OPEN,
            List.of(replay(1), Events.claim(1, 1, new Fact.Barred("full")), FAILED)),
        Arguments.of(
            "about to be published again",
            Status.REPLAYING,
            List.of(replay(1), Events.claim(1, 1, new Fact.Resent()))),
        Arguments.of(
            "published again",
            Status.REPLAYED,
            List.of(
                replay(1),
                Events.claim(1, 1, new Fact.Resent()),
                Events.claim(1, 2, new Fact.Run(Events.COPY, "billing")))),
        Arguments.of("tried once more", Status.REPLAYING, List.of(replay(1), FAILED, replay(2))),
        Arguments.of(
            "an old outcome", Status.REPLAYING, List.of(replay(1), replay(2), resolved(1))),
        Arguments.of(
            "given up, then processed",
            Status.DISCARDED,
            List.of(replay(1), run(1), DISCARDED, resolved(1))),
        Arguments.of("discarded", Status.DISCARDED, List.of(step(1, new Step.Discarded("x")))),
        Arguments.of(
            "restored", Status.OPEN, List.of(replay(1), DISCARDED, step(3, new Step.Restored()))),
        Arguments.of(
            "imported while under way, then processed",
            Status.RESOLVED,
            List.of(replay(1), step(2, new Step.Imported("cluster B")), resolved(1))),
        Arguments.of(
            "never published, then edited",
            Status.OPEN,
            List.of(replay(1), FAILED, step(2, new Step.Edited(1, 3, SHA256)))),
        Arguments.of(
            "restored by force after it was processed",
            Status.OPEN,
            List.of(replay(1), resolved(1), step(2, new Step.Restored()))),
        Arguments.of("completed", Status.COMPLETED, List.of(step(1, new Step.Completed()))),
        Arguments.of("purged", Status.PURGED, List.of(step(1, new Step.Purged(Events.AT, SHA256)))),
        Arguments.of("imported", Status.OPEN, List.of(step(1, new Step.Imported("cluster B")))),
        Arguments.of("an outcome without a step", Status.OPEN, List.of(resolved(1))));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("histories")
  void events_add_up_to_a_state(String name, Status expected, List<Event> events) {
    EntryState state = fold(events);

    assertThat(state.status()).isEqualTo(expected);
    events.forEach(
        again -> assertThat(state.after(again)).as("taken twice: " + again).isEqualTo(state));
  }

  @Test
  void a_confirmed_publish_counts_for_the_step_that_is_under_way_alone() {
    EntryState second = fold(List.of(replay(1), FAILED, replay(2)));

    assertThat(second.published(1).status()).isEqualTo(Status.REPLAYING);
    assertThat(second.published(2).status()).isEqualTo(Status.REPLAYED);
    assertThat(EntryState.NEW.published(1)).isEqualTo(EntryState.NEW);
    assertThat(fold(List.of(replay(1), resolved(1))).published(1).status())
        .isEqualTo(Status.RESOLVED);
  }

  @Test
  void the_newest_step_and_version_and_the_next_entry_are_kept() {
    EntryState edited =
        fold(
            List.of(
                step(1, new Step.Edited(1, 3, SHA256)), step(2, new Step.Edited(2, 4, SHA256))));
    assertThat(edited).isEqualTo(new EntryState(Status.OPEN, 2, 2, Optional.empty()));

    assertThat(fold(List.of(replay(1), RETURNED)))
        .isEqualTo(
            new EntryState(
                Status.RETURNED,
                1,
                0,
                Optional.of(NEXT),
                Optional.of(new EntryState.Replay(1, true))));
  }

  @Test
  void the_order_of_an_outcome_and_of_what_was_decided_since_changes_nothing() {
    for (Event outcome : List.of(resolved(1), RETURNED, FAILED)) {
      for (Event next : List.of(DISCARDED, step(2, new Step.Imported("cluster B")))) {
        assertThat(fold(List.of(replay(1), next, outcome)))
            .as("%s, %s", next, outcome)
            .isEqualTo(fold(List.of(replay(1), outcome, next)));
      }
    }
  }

  @Test
  void what_became_of_the_newest_replay_is_known_also_after_it_was_given_up() {
    EntryState givenUp = fold(List.of(replay(1), run(1), DISCARDED));

    assertThat(givenUp.replay()).contains(new EntryState.Replay(1, false));
    assertThat(givenUp.after(resolved(1)).replay()).contains(new EntryState.Replay(1, true));
    assertThat(givenUp.after(RETURNED).returnedAs()).contains(NEXT);
    assertThat(givenUp.after(FAILED).replay()).isEmpty();
  }

  private static EntryState fold(List<Event> events) {
    EntryState state = EntryState.NEW;
    for (Event event : events) {
      state = state.after(event);
    }
    return state;
  }
}
