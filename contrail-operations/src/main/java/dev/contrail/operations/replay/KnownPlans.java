package dev.contrail.operations.replay;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.PlanStore;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanState;
import dev.contrail.plan.UnreadablePlanException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The plans that are stored, whoever runs them. Blocks. */
record KnownPlans(PlanStore plans) {
  Optional<PlanHead> find(String plan) {
    return Futures.get(plans.find(plan)).map(PlanStore.Stored::head);
  }

  PlanStore.Stored required(String plan) {
    return Futures.get(plans.find(plan))
        .orElseThrow(
            () ->
                new ContrailException(
                    "There is no plan " + plan + "; “contrail dlq plans ls” lists them."));
  }

  /**
   * All of them, the newest first.
   *
   * @param unreadable is told a sentence for each that cannot be read, and hides no other
   */
  List<PlanSummary> list(Consumer<String> unreadable) {
    List<PlanSummary> all = new ArrayList<>();
    for (String plan : Futures.get(plans.plans())) {
      try {
        find(plan).map(this::summary).ifPresent(summary -> all.add(0, summary));
      } catch (UnreadablePlanException e) {
        unreadable.accept(String.valueOf(e.getMessage()));
      }
    }
    return all;
  }

  private PlanSummary summary(PlanHead head) {
    return new PlanSummary(
        head,
        Futures.get(plans.state(head)).state(),
        Futures.get(plans.progress(head.plan())).done().size());
  }

  /** Has a run of the plan end between two messages; how it stands with the plan then. */
  PlanState cancel(String plan, String by, Instant at) {
    PlanHead head = required(plan).head();
    PlanStore.Current now = Futures.get(plans.state(head));
    PlanState cancelled = new PlanState(PlanState.Kind.CANCELLED, at, by, "");
    while (now.state().kind() == PlanState.Kind.NEW
        || now.state().kind() == PlanState.Kind.RUNNING) {
      if (Futures.get(plans.append(plan, now.number() + 1, cancelled))) {
        return cancelled;
      }
      now = Futures.get(plans.stateAfter(plan, now));
    }
    return now.state();
  }
}
