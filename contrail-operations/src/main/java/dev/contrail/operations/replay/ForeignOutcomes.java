package dev.contrail.operations.replay;

import dev.contrail.event.CopyPlace;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.plan.Outlook;
import dev.contrail.plan.PlanProgress;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Concludes how replays ended for consumers that tell nothing: a stream that lets go of what was
 * acknowledged has processed what is gone, unless there is a dead letter of it. A dead letter is
 * stored before its message is let go, so it is looked for last. Blocks.
 */
final class ForeignOutcomes {
  private static final int MOST_AT_ONCE = 200;

  private final Outcomes outcomes;
  private final ServerFacts facts;
  private final CopyFacts copies;
  private final OutcomeTelling telling;
  private final Clock clock;
  private final Deque<PlanProgress.Published> turn = new ArrayDeque<>();

  /** Looks at the copies of one plan. */
  ForeignOutcomes(
      Outcomes outcomes, ServerFacts facts, CopyFacts copies, OutcomeTelling telling, Clock clock) {
    this.outcomes = outcomes;
    this.facts = facts;
    this.copies = copies;
    this.telling = telling;
    this.clock = clock;
  }

  /** Looks at some of those whose outcome is not known yet, each in its turn. */
  void look() {
    if (turn.isEmpty()) {
      turn.addAll(outcomes.toBeInferred());
    }
    Map<PlanProgress.Published, Boolean> there = new LinkedHashMap<>();
    while (there.size() < MOST_AT_ONCE && !turn.isEmpty()) {
      PlanProgress.Published copy = turn.remove();
      there.put(copy, Futures.get(copies.isThere(copy)));
    }
    // Asked afterwards: what a stream that is still the same did not have then, it had let go.
    Map<String, Optional<String>> incarnations = new HashMap<>();
    there.forEach(
        (copy, isThere) -> {
          Optional<String> now = incarnations.computeIfAbsent(copy.stream(), facts::incarnation);
          if (now.isPresent() && now.equals(copy.incarnation())) {
            conclude(copy, isThere);
          } else {
            // Deleted, and perhaps made again: with the copy, whether it was processed or not.
            outcomes.neverKnown(copy);
          }
        });
  }

  /** Looks at all of them once. */
  void lookAtAll() {
    turn.clear();
    do {
      look();
    } while (!turn.isEmpty());
  }

  private void conclude(PlanProgress.Published copy, boolean isThere) {
    Optional<DeadLetterId> dead = copies.death(copy);
    if (dead.isPresent()) {
      telling.tell(copy, new ReplayOutcome.Returned(dead.get()));
    } else if (!isThere && copy.outlook() == Outlook.INFERRED) {
      concludeGone(copy);
    }
  }

  private void concludeGone(PlanProgress.Published copy) {
    // By what the server knows. One that is killed forgets what it delivered last, so that this is
    // no proof that nobody had the copy.
    if (!copies.wasNeverDelivered(copy) && copies.isLetGoByAck(copy, clock.instant())) {
      CopyPlace place =
          new CopyPlace(copy.stream(), copy.incarnation().orElseThrow(), copy.sequence());
      String consumer = outcomes.entry(copy.index()).id().consumer();
      telling.tell(copy, new ReplayOutcome.Resolved(place, consumer, true));
    } else {
      outcomes.neverKnown(copy);
    }
  }
}
