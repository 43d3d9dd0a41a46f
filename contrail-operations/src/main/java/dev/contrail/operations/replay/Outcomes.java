package dev.contrail.operations.replay;

import dev.contrail.event.ReplayOutcome;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.plan.Outlook;
import dev.contrail.plan.PlanEntry;
import dev.contrail.plan.PlanProgress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** What became of the entries of a plan, as far as it is known. Thread-safe. */
final class Outcomes {
  private final List<PlanEntry> entries;
  private final Map<DeadLetterId, Integer> indexes = new HashMap<>();
  private final Map<Integer, PlanProgress> progress;
  private final Map<DeadLetterId, Map<Integer, Told>> told = new HashMap<>();
  private final Set<Integer> before;
  private final Set<Integer> neverKnown = new HashSet<>();
  private final Set<DeadLetterId> back = new HashSet<>();
  private final Instant since;
  private BiConsumer<PlanEntry, DeadLetterId> onReturn = (entry, as) -> {};

  /** The first outcome that was told, and when it was stored as far as that is known. */
  private record Told(ReplayOutcome outcome, Instant at) {
    static Told later(Told first, Told again) {
      return new Told(first.outcome, again.at.isAfter(first.at) ? again.at : first.at);
    }
  }

  Outcomes(List<PlanEntry> entries, Map<Integer, PlanProgress> progress) {
    this(entries, progress, Instant.MIN);
  }

  /**
   * Of a plan that runs.
   *
   * @param since what came back before, by the server's clock, does not end this run
   */
  Outcomes(List<PlanEntry> entries, Map<Integer, PlanProgress> progress, Instant since) {
    this.since = since;
    this.entries = entries;
    this.progress = new HashMap<>(progress);
    this.before = Set.copyOf(progress.keySet());
    for (int index = 0; index < entries.size(); index++) {
      indexes.put(entries.get(index).id(), index);
    }
  }

  /** Is called once for each that comes back from now on, in the time of this run. */
  synchronized void onReturn(BiConsumer<PlanEntry, DeadLetterId> call) {
    onReturn = call;
  }

  synchronized void settled(PlanProgress done) {
    progress.put(done.index(), done);
  }

  /** What becomes of that copy will never be known. */
  synchronized void neverKnown(PlanProgress.Published copy) {
    neverKnown.add(copy.index());
  }

  private boolean isToBeKnown(PlanProgress.Published copy) {
    return copy.outlook() != Outlook.UNKNOWN && !neverKnown.contains(copy.index());
  }

  /**
   * An outcome was told; of whatever entry.
   *
   * @param storedAt by the server's clock
   */
  void told(DeadLetterId entry, int step, ReplayOutcome outcome, Instant storedAt) {
    BiConsumer<PlanEntry, DeadLetterId> call;
    PlanEntry planned;
    synchronized (this) {
      Integer index = indexes.get(entry);
      // An outcome of an earlier plan is none of this one.
      if (index == null || step <= entries.get(index).lastStep()) {
        return;
      }
      told.computeIfAbsent(entry, id -> new HashMap<>(2))
          .merge(step, new Told(outcome, storedAt), Told::later);
      planned = entries.get(index);
      call = onReturn;
    }
    if (outcome instanceof ReplayOutcome.Returned returned
        && storedAt.isAfter(since)
        && isFirst(returned.as())) {
      call.accept(planned, returned.as());
    }
  }

  private synchronized boolean isFirst(DeadLetterId returnedAs) {
    return back.add(returnedAs);
  }

  synchronized Optional<ReplayOutcome> of(PlanProgress.Published copy) {
    return toldOf(copy).map(Told::outcome);
  }

  private Optional<Told> toldOf(PlanProgress.Published copy) {
    return Optional.ofNullable(
        told.getOrDefault(entries.get(copy.index()).id(), Map.of()).get(copy.step()));
  }

  /** Copies without an outcome, whose outcome nobody tells. */
  List<PlanProgress.Published> toBeInferred() {
    return open(outlook -> outlook != Outlook.TOLD);
  }

  /** Copies without an outcome, which workers of Contrail will tell. */
  List<PlanProgress.Published> toBeTold() {
    return open(outlook -> outlook == Outlook.TOLD);
  }

  private synchronized List<PlanProgress.Published> open(Predicate<Outlook> which) {
    List<PlanProgress.Published> open = new ArrayList<>();
    for (PlanProgress done : progress.values()) {
      if (done instanceof PlanProgress.Published copy
          && which.test(copy.outlook())
          && !neverKnown.contains(copy.index())
          && of(copy).isEmpty()) {
        open.add(copy);
      }
    }
    return open;
  }

  /** Whether all that can be known of the first so many is known. */
  synchronized boolean areKnown(int first) {
    for (int index = 0; index < Math.min(first, entries.size()); index++) {
      PlanProgress done = progress.get(index);
      if (done == null
          || (done instanceof PlanProgress.Published copy
              && isToBeKnown(copy)
              && of(copy).isEmpty())) {
        return false;
      }
    }
    return true;
  }

  /** Those of the first so many that came back since. */
  List<PlanEntry> returned(int first, Instant since) {
    return first(first, Kind.RETURNED, since);
  }

  /** Those of the first so many whose copy could not be published, or was lost, since. */
  List<PlanEntry> failed(int first, Instant since) {
    return first(first, Kind.FAILED, since);
  }

  private synchronized List<PlanEntry> first(int first, Kind kind, Instant since) {
    List<PlanEntry> some = new ArrayList<>();
    for (int index = 0; index < Math.min(first, entries.size()); index++) {
      PlanProgress done = progress.get(index);
      if (done != null && kind(done) == kind && isSince(done, since)) {
        some.add(entries.get(index));
      }
    }
    return some;
  }

  /** What an earlier run settled and no event tells of is as old as that run. */
  private boolean isSince(PlanProgress done, Instant since) {
    Optional<Instant> at =
        done instanceof PlanProgress.Published copy ? toldOf(copy).map(Told::at) : Optional.empty();
    return at.map(since::isBefore)
        .orElseGet(() -> since.equals(Instant.MIN) || !before.contains(done.index()));
  }

  PlanEntry entry(int index) {
    return entries.get(index);
  }

  synchronized List<PlanProgress> progress() {
    return entries.isEmpty() ? List.of() : List.copyOf(progress.values());
  }

  synchronized Tally tally() {
    Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
    progress.values().forEach(done -> counts.merge(kind(done), 1, Integer::sum));
    int inferred = counts.getOrDefault(Kind.INFERRED, 0);
    return new Tally(
        entries.size() - progress.size(),
        counts.getOrDefault(Kind.WAITING, 0),
        counts.getOrDefault(Kind.UNKNOWN, 0),
        counts.getOrDefault(Kind.RESOLVED, 0) + inferred,
        inferred,
        counts.getOrDefault(Kind.RETURNED, 0),
        counts.getOrDefault(Kind.FAILED, 0),
        counts.getOrDefault(Kind.LEFT_OUT, 0));
  }

  private enum Kind {
    WAITING,
    UNKNOWN,
    RESOLVED,
    INFERRED,
    RETURNED,
    FAILED,
    LEFT_OUT
  }

  private Kind kind(PlanProgress done) {
    if (!(done instanceof PlanProgress.Published copy)) {
      return done instanceof PlanProgress.Failed ? Kind.FAILED : Kind.LEFT_OUT;
    }
    ReplayOutcome outcome = of(copy).orElse(null);
    if (outcome instanceof ReplayOutcome.Resolved resolved) {
      return resolved.inferred() ? Kind.INFERRED : Kind.RESOLVED;
    }
    if (outcome instanceof ReplayOutcome.Returned) {
      return Kind.RETURNED;
    }
    // Given up by another process before any worker met the copy.
    if (outcome instanceof ReplayOutcome.Failed) {
      return Kind.FAILED;
    }
    return isToBeKnown(copy) ? Kind.WAITING : Kind.UNKNOWN;
  }
}
