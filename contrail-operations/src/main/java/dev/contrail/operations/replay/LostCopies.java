package dev.contrail.operations.replay;

import dev.contrail.event.Event;
import dev.contrail.event.Fact;
import dev.contrail.event.ReplayCopy;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.EventStore;
import dev.contrail.plan.PlanProgress;
import io.nats.client.api.StreamInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Looks for copies for workers of Contrail of which no worker will tell: gone from their stream, or
 * dead by the word of somebody else. Workers tell the outcome before they acknowledge. One that
 * none of them had begun with, and nobody else was given, is given up, and its entry is open again.
 * Blocks.
 */
final class LostCopies {
  private static final int MOST_AT_ONCE = 200;
  private static final int FEW = 1_000;

  /** For so long a handler may run whose message is gone. */
  private static final Duration LONGEST_RUN = Duration.ofMinutes(15);

  private final Outcomes outcomes;
  private final ServerFacts facts;
  private final CopyFacts copies;
  private final EventStore events;
  private final OutcomeTelling telling;
  private final Deque<PlanProgress.Published> turn = new ArrayDeque<>();
  private final Map<Integer, Moment> missed = new HashMap<>();

  /** Looks at the copies of one plan. */
  LostCopies(
      Outcomes outcomes,
      ServerFacts facts,
      CopyFacts copies,
      EventStore events,
      OutcomeTelling telling) {
    this.outcomes = outcomes;
    this.facts = facts;
    this.copies = copies;
    this.events = events;
    this.telling = telling;
  }

  /** Looks at some of those whose outcome is not known yet, each in its turn. */
  void look() {
    look(true);
  }

  /** Looks at all of them once; at many no closer than whether they are there. */
  void lookAtAll() {
    turn.clear();
    turn.addAll(outcomes.toBeTold());
    boolean closely = turn.size() <= FEW;
    while (!turn.isEmpty()) {
      look(closely);
    }
  }

  private void look(boolean closely) {
    if (turn.isEmpty()) {
      turn.addAll(outcomes.toBeTold());
    }
    Map<String, Optional<StreamInfo>> streams = new HashMap<>();
    Map<PlanProgress.Published, CompletableFuture<Boolean>> there = new LinkedHashMap<>();
    while (there.size() < MOST_AT_ONCE && !turn.isEmpty()) {
      PlanProgress.Published copy = turn.remove();
      Optional<StreamInfo> stream = streams.computeIfAbsent(copy.stream(), facts::info);
      boolean held = stream.filter(it -> CopyFacts.holds(it, copy)).isPresent();
      if (!held || closely) {
        there.put(copy, held ? CompletableFuture.completedFuture(true) : copies.isThere(copy));
      }
    }
    there.forEach(
        (copy, isThere) -> {
          if (!Futures.get(isThere)) {
            missed(copy);
          } else if (closely) {
            copies.death(copy).ifPresent(as -> died(copy, as));
          }
        });
  }

  private void died(PlanProgress.Published copy, DeadLetterId as) {
    telling.tell(copy, new ReplayOutcome.Returned(as));
  }

  /** Its outcome is asked for after it was seen to be gone: that is told before. */
  private void missed(PlanProgress.Published copy) {
    ReplayCopy id = copies.id(copy);
    Optional<ReplayOutcome> outcome = Futures.get(events.outcome(id.entry(), id.step()));
    if (outcome.isPresent()) {
      outcomes.told(id.entry(), id.step(), outcome.get(), Instant.MIN);
      return;
    }
    Optional<DeadLetterId> as = copies.death(copy);
    if (as.isPresent()) {
      died(copy, as.get());
      return;
    }
    Optional<Event> claim = Futures.get(events.claim(id.entry(), id.step()));
    if (claim.isPresent() && claim.get().fact() instanceof Fact.Run run) {
      missedWhileRun(copy, run);
    } else if (copies.wasNeverDelivered(copy) || copies.isWorkedByContrail(copy)) {
      telling.giveUp(
          copy,
          "its copy is gone from stream " + copy.stream() + ", and nobody had begun to process it");
    } else {
      // Whoever reads the consumer by now may not be Contrail, and tell nothing.
      outcomes.neverKnown(copy);
    }
  }

  /** Some worker has begun with it, and may be at it still. */
  private void missedWhileRun(PlanProgress.Published copy, Fact.Run run) {
    Moment since = missed.computeIfAbsent(copy.index(), any -> Moment.now());
    boolean over =
        facts.isIdle(run.copy().stream(), run.consumer())
            || since.elapsed().compareTo(LONGEST_RUN) > 0;
    if (over) {
      outcomes.neverKnown(copy);
    }
  }
}
