package dev.contrail.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EntryStatesTest {
  private static final Instant AT = Instant.parse("2026-03-01T10:00:00Z");
  private static final DeadLetterId FIRST = new DeadLetterId("ORDERS", "billing", "abc", 1);
  private static final DeadLetterId SECOND = new DeadLetterId("ORDERS", "billing", "abc", 2);

  private final EntryStates states = new EntryStates();

  @Test
  void a_replay_that_was_never_published_is_none_whatever_was_written_down_of_it() {
    replay(FIRST, 1, FIRST, 1);
    outcome(FIRST, 1, new ReplayOutcome.Returned(SECOND));
    assertThat(states.origin(SECOND)).isEqualTo(new Origin(FIRST, 1));

    replay(SECOND, 1, FIRST, 2);
    assertThat(states.origin(SECOND)).isEqualTo(new Origin(FIRST, 2));
    outcome(SECOND, 1, new ReplayOutcome.Failed("refused"));
    assertThat(states.origin(SECOND)).isEqualTo(new Origin(FIRST, 1));

    replay(SECOND, 2, SECOND, 0);
    outcome(SECOND, 2, new ReplayOutcome.Failed("there is no stream ORDERS any more"));
    assertThat(states.origin(SECOND)).isEqualTo(new Origin(FIRST, 1));
  }

  private void replay(DeadLetterId id, int step, DeadLetterId root, int count) {
    Step replay =
        new Step.Replay("p", "orders.new", "ORDERS", Optional.of("billing"), 0, root, count);
    states.add(new Event(EventAddress.step(id, step), AT, "ann@host", replay));
  }

  private void outcome(DeadLetterId id, int step, ReplayOutcome outcome) {
    states.add(new Event(EventAddress.outcome(id, step), AT, "7@host", outcome));
  }
}
