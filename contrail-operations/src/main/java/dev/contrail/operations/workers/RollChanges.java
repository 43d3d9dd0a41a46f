package dev.contrail.operations.workers;

import dev.contrail.jetstream.report.PauseOrder;
import dev.contrail.jetstream.report.WorkerReport;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is different between two looks at workers, each in a few words. A worker that comes, goes or
 * is stopped in good order is no trouble, and not among it.
 *
 * @param worse breakers that opened, and stores that are away
 * @param better those that are over; of a worker that is gone nothing is
 * @param paused pauses that began
 * @param resumed pauses that ended
 */
public record RollChanges(
    List<String> worse, List<String> better, List<String> paused, List<String> resumed) {
  public static RollChanges between(Roll before, Roll after) {
    return new RollChanges(
        without(troubles(after), troubles(before)),
        without(troubles(stillThere(before, after)), troubles(after)),
        without(pauses(after), pauses(before)),
        without(pauses(before), pauses(after)));
  }

  public boolean isNone() {
    return worse.isEmpty() && better.isEmpty() && paused.isEmpty() && resumed.isEmpty();
  }

  /** What was seen before of the processes that are there after. */
  private static Roll stillThere(Roll before, Roll after) {
    Set<String> instances =
        after.workers().stream()
            .map(it -> it.report().who().instance())
            .collect(Collectors.toSet());
    return new Roll(
        before.workers().stream()
            .filter(it -> instances.contains(it.report().who().instance()))
            .toList(),
        before.pauses(),
        before.unreadable());
  }

  private static List<String> without(Set<String> some, Set<String> others) {
    List<String> left = new ArrayList<>(some);
    left.removeAll(others);
    return List.copyOf(left);
  }

  private static Set<String> troubles(Roll roll) {
    Set<String> troubles = new LinkedHashSet<>();
    for (WorkerSeen seen : roll.workers()) {
      WorkerReport report = seen.report();
      String who = report.who().stream() + " " + report.who().consumer();
      String name = ", worker " + report.who().name();
      report.breaker().ifPresent(it -> troubles.add("circuit breaker open: " + who + name));
      report.holds().forEach(it -> troubles.add("waits for " + it.what() + ": " + who + name));
    }
    return troubles;
  }

  private static Set<String> pauses(Roll roll) {
    Set<String> pauses = new LinkedHashSet<>();
    for (PauseOrder order : roll.pauses()) {
      pauses.add(order.scope() + ", by " + order.by());
    }
    return pauses;
  }
}
