package dev.contrail.operations.replay;

import dev.contrail.event.CopyPlace;
import dev.contrail.event.Event;
import dev.contrail.event.Fact;
import dev.contrail.event.ReplayCopy;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.CopyPublisher;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.PlanStore;
import dev.contrail.plan.Outlook;
import dev.contrail.plan.PlanEntry;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanProgress;
import dev.contrail.plan.PlanState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tells which replays without an outcome may be repeated by somebody who insists. Blocks. */
final class Repeats {
  private final ServerFacts facts;
  private final EventStore events;
  private final PlanStore plans;
  private final CopyPublisher copies;
  private final Map<String, Map<ReplayCopy, PlanProgress.Published>> published = new HashMap<>();

  Repeats(ServerFacts facts, EventStore events, PlanStore plans, CopyPublisher copies) {
    this.facts = facts;
    this.events = events;
    this.plans = plans;
    this.copies = copies;
  }

  /**
   * Whether a replay is over, as far as can ever be known.
   *
   * @param step that decided on it
   * @param outlook of another one
   */
  boolean isOver(DeadLetterId id, Event step, Outlook outlook) {
    if (!(step.fact() instanceof Step.Replay replay) || isRunning(replay.plan())) {
      return false;
    }
    ReplayCopy copy = new ReplayCopy(id, step.address().step());
    return outlook != Outlook.TOLD || isGone(copy, replay.plan());
  }

  private boolean isRunning(String plan) {
    return head(plan)
        .map(head -> Futures.get(plans.state(head)).state().kind() == PlanState.Kind.RUNNING)
        .orElse(false);
  }

  private Optional<PlanHead> head(String plan) {
    return Futures.get(plans.find(plan)).map(PlanStore.Stored::head);
  }

  /** Whether its copy is gone, and no worker is at it: one may have been killed before the end. */
  private boolean isGone(ReplayCopy copy, String plan) {
    Optional<Fact.Run> run =
        Futures.get(events.claim(copy.entry(), copy.step()))
            .map(Event::fact)
            .filter(Fact.Run.class::isInstance)
            .map(Fact.Run.class::cast);
    if (run.isPresent()) {
      CopyPlace place = run.get().copy();
      return isGone(copy, place.stream(), place.sequence())
          && facts.isIdle(place.stream(), run.get().consumer());
    }
    PlanProgress.Published found = published.computeIfAbsent(plan, this::publishedBy).get(copy);
    return found != null && isGone(copy, found.stream(), found.sequence());
  }

  private boolean isGone(ReplayCopy copy, String stream, long sequence) {
    return Futures.get(copies.copyAt(stream, sequence)).filter(copy::equals).isEmpty();
  }

  private Map<ReplayCopy, PlanProgress.Published> publishedBy(String plan) {
    Map<ReplayCopy, PlanProgress.Published> all = new HashMap<>();
    Optional<PlanHead> head = head(plan);
    if (head.isPresent()) {
      List<PlanEntry> entries = Futures.get(plans.entries(head.get()));
      for (PlanProgress done : Futures.get(plans.progress(plan)).done()) {
        if (done instanceof PlanProgress.Published copy) {
          all.put(new ReplayCopy(entries.get(copy.index()).id(), copy.step()), copy);
        }
      }
    }
    return all;
  }
}
