package dev.contrail.operations.replay;

import dev.contrail.event.CopyPlace;
import dev.contrail.event.Event;
import dev.contrail.event.Fact;
import dev.contrail.event.ReplayCopy;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.jetstream.CopyPublisher;
import dev.contrail.jetstream.EventStore;
import dev.contrail.plan.Outlook;
import dev.contrail.plan.PlanProgress;
import io.nats.client.api.StreamState;
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
 * Finds copies for workers of Contrail that are gone from their stream without an outcome: purged,
 * expired, over a limit. Workers tell the outcome before they acknowledge, so nobody has processed
 * them. Where none was about to, the replay is given up and its entry is open again. Blocks.
 */
final class LostCopies {
  private static final int MOST_AT_ONCE = 200;

  /** For so long a handler may run whose message is gone. */
  private static final Duration LONGEST_RUN = Duration.ofMinutes(15);

  private final Outcomes outcomes;
  private final ServerFacts facts;
  private final CopyPublisher copies;
  private final EventStore events;
  private final FailedReplay failed;
  private final OutcomeTelling telling;
  private final Deque<PlanProgress.Published> turn = new ArrayDeque<>();
  private final Map<Integer, Moment> missed = new HashMap<>();

  /** Looks at the copies of one plan. */
  LostCopies(
      Outcomes outcomes,
      ServerFacts facts,
      CopyPublisher copies,
      EventStore events,
      FailedReplay failed,
      OutcomeTelling telling) {
    this.outcomes = outcomes;
    this.facts = facts;
    this.copies = copies;
    this.events = events;
    this.failed = failed;
    this.telling = telling;
  }

  /** Looks at some of those whose outcome is not known yet, each in its turn. */
  void look() {
    if (turn.isEmpty()) {
      turn.addAll(outcomes.toBeTold());
    }
    // Their streams tell of most that they are there, without a look at each.
    Map<String, Optional<StreamState>> states = new HashMap<>();
    Map<PlanProgress.Published, CompletableFuture<Boolean>> there = new LinkedHashMap<>();
    while (there.size() < MOST_AT_ONCE && !turn.isEmpty()) {
      PlanProgress.Published copy = turn.remove();
      Optional<StreamState> state = states.computeIfAbsent(copy.stream(), facts::state);
      if (!state.map(it -> holdsAll(it, copy.sequence())).orElse(false)) {
        there.put(copy, isThere(copy));
      }
    }
    there.forEach(
        (copy, isThere) -> {
          if (!Futures.get(isThere)) {
            missed(copy);
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

  private static boolean holdsAll(StreamState state, long sequence) {
    return state.getDeletedCount() == 0
        && state.getFirstSequence() <= sequence
        && sequence <= state.getLastSequence();
  }

  private CompletableFuture<Boolean> isThere(PlanProgress.Published copy) {
    return copies
        .copyAt(copy.stream(), copy.sequence())
        .thenApply(held -> held.filter(id(copy)::equals).isPresent());
  }

  private ReplayCopy id(PlanProgress.Published copy) {
    return new ReplayCopy(outcomes.entry(copy.index()).id(), copy.step());
  }

  /** Its outcome is asked for after it was seen to be gone: that is told before. */
  private void missed(PlanProgress.Published copy) {
    ReplayCopy id = id(copy);
    Optional<ReplayOutcome> outcome = Futures.get(events.outcome(id.entry(), id.step()));
    if (outcome.isPresent()) {
      outcomes.told(id.entry(), id.step(), outcome.get(), Instant.MIN);
      return;
    }
    Optional<ReplayOutcome> reaped =
        copy.incarnation()
            .map(incarnation -> new CopyPlace(copy.stream(), incarnation, copy.sequence()))
            .flatMap(facts::orphanOf)
            .map(ReplayOutcome.Returned::new);
    if (reaped.isPresent()) {
      telling.tell(copy, reaped.get());
      return;
    }
    Optional<Event> claim = Futures.get(events.claim(id.entry(), id.step()));
    if (claim.isPresent() && claim.get().fact() instanceof Fact.Run run) {
      missedWhileRun(copy, run);
    } else {
      giveUp(copy, id);
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

  private void giveUp(PlanProgress.Published copy, ReplayCopy id) {
    String reason =
        "its copy is gone from stream " + copy.stream() + ", and nobody had begun to process it";
    EntryResult result =
        Futures.get(failed.tellPublished(new Attempt(copy.index(), id, Outlook.TOLD), reason));
    if (result instanceof EntryResult.Settled settled
        && settled.progress() instanceof PlanProgress.Failed given) {
      outcomes.told(id.entry(), id.step(), new ReplayOutcome.Failed(given.why()), Instant.MIN);
    }
  }
}
