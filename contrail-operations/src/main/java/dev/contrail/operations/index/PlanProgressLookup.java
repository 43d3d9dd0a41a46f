package dev.contrail.operations.index;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.PlanStore;
import dev.contrail.plan.PlanEntry;
import dev.contrail.plan.PlanProgress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which copies plans are known to have published. Events tell that only once a worker met the copy.
 */
public final class PlanProgressLookup {
  private final PlanStore plans;

  public PlanProgressLookup(PlanStore plans) {
    this.plans = plans;
  }

  /**
   * The steps whose copies that plan published, by dead letter.
   *
   * @throws ContrailException when that cannot be read
   */
  public Map<DeadLetterId, Integer> published(String plan) {
    Optional<PlanStore.Stored> stored = Answers.of(plans.find(plan));
    if (stored.isEmpty()) {
      return Map.of();
    }
    List<PlanEntry> entries = Answers.of(plans.entries(stored.get().head()));
    Map<DeadLetterId, Integer> published = new HashMap<>();
    for (PlanProgress done : Answers.of(plans.progress(plan)).done()) {
      if (done instanceof PlanProgress.Published copy && copy.index() < entries.size()) {
        published.put(entries.get(copy.index()).id(), copy.step());
      }
    }
    return published;
  }
}
