package dev.contrail.operations.orphans;

import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.EventStore;
import dev.contrail.operations.replay.ReplayPlans;
import dev.contrail.operations.replay.RunListener;
import dev.contrail.operations.replay.StopSign;
import dev.contrail.plan.PlanEntry;
import dev.contrail.plan.PlanOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Publishes orphans to another subject as replays of their dead letters. A replay is decided on, in
 * an event that is written once, before its copy is published under an id of its own: whoever comes
 * after a crash goes on with the same plan, within the duplicate window by that id, and after it by
 * leaving alone what may have been published.
 */
final class HandOver {
  private static final String NOT_PUBLISHED = "no copy of it could be published";

  private static final RunListener SILENT =
      new RunListener() {
        @Override
        public void settled(int done, int of) {}

        @Override
        public void notice(String sentence) {}
      };

  private final ReplayPlans plans;
  private final EventStore events;
  private final PlanOptions how;
  private final String by;

  HandOver(ReplayPlans plans, EventStore events, String to, String by) {
    this.plans = plans;
    this.events = events;
    this.how =
        new PlanOptions(
            Optional.of(to), Optional.empty(), 0, false, PlanOptions.DEFAULT.maxReplays());
    this.by = by;
  }

  /** Why not, for those that no stream is known to have. */
  Map<DeadLetterId, String> publish(List<DeadLetterId> letters) throws InterruptedException {
    Map<DeadLetterId, String> not = new LinkedHashMap<>();
    List<PlanEntry> open = new ArrayList<>();
    Set<String> running = new TreeSet<>();
    for (DeadLetterId id : letters) {
      EntryState state = OrphanScan.joined(events.state(id));
      switch (state.status()) {
        case OPEN -> open.add(new PlanEntry(id, state.lastStep(), state.version()));
        case REPLAYING ->
            plan(id, state)
                .ifPresentOrElse(
                    running::add, () -> not.put(id, "somebody else is replaying its dead letter"));
        case REPLAYED, RESOLVED, COMPLETED -> {}
        case RETURNED, DISCARDED, PURGED ->
            not.put(id, "its dead letter is " + state.status().text());
      }
    }
    if (!open.isEmpty()) {
      running.add(plans.create(open, "orphans of " + streams(open), how, by).plan());
    }
    for (String plan : running) {
      run(plan, not);
    }
    open.stream()
        .map(PlanEntry::id)
        .filter(id -> !not.containsKey(id) && isOpen(id))
        .forEach(id -> not.put(id, NOT_PUBLISHED));
    return not;
  }

  private void run(String plan, Map<DeadLetterId, String> not) throws InterruptedException {
    plans
        .run(plan, by, false, new StopSign(), SILENT)
        .unsettled()
        .forEach(
            it ->
                not.put(
                    it.id(),
                    it.why() + "; contrail dlq plans resume " + plan + " --force settles"));
  }

  private boolean isOpen(DeadLetterId id) {
    return switch (OrphanScan.joined(events.state(id)).status()) {
      case REPLAYING, REPLAYED, RESOLVED, COMPLETED -> false;
      case OPEN, RETURNED, DISCARDED, PURGED -> true;
    };
  }

  private Optional<String> plan(DeadLetterId id, EntryState state) {
    Optional<Event> step = OrphanScan.joined(events.find(EventAddress.step(id, state.lastStep())));
    return step.map(Event::fact)
        .filter(Step.Replay.class::isInstance)
        .map(fact -> ((Step.Replay) fact).plan())
        .filter(plan -> plans.find(plan).filter(it -> it.options().equals(how)).isPresent());
  }

  private static String streams(List<PlanEntry> entries) {
    return String.join(", ", new TreeSet<>(entries.stream().map(it -> it.id().stream()).toList()));
  }
}
