package dev.contrail.operations.workers;

import dev.contrail.jetstream.report.PauseOrder;
import dev.contrail.jetstream.report.PauseScope;
import dev.contrail.jetstream.report.WorkerReport;
import dev.contrail.jetstream.report.WorkerReport.Rates;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * All workers that told of themselves lately, and the pauses that stand.
 *
 * @param workers by stream, consumer and name
 * @param pauses those of consumers without a worker too
 * @param unreadable a sentence for each report or pause that could not be read
 */
public record Roll(List<WorkerSeen> workers, List<PauseOrder> pauses, List<String> unreadable) {
  /** Nobody told anything. */
  public static final Roll EMPTY = new Roll(List.of(), List.of(), List.of());

  public Roll {
    workers = List.copyOf(workers);
    pauses = List.copyOf(pauses);
    unreadable = List.copyOf(unreadable);
  }

  static Roll of(List<WorkerReport> reports, List<PauseOrder> pauses, List<String> unreadable) {
    return new Roll(
        reports.stream().map(it -> new WorkerSeen(it, standing(it.who(), pauses))).toList(),
        pauses,
        unreadable);
  }

  private static Optional<PauseOrder> standing(WorkerReport.Who who, List<PauseOrder> pauses) {
    return pauses.stream()
        .filter(it -> it.scope().covers(who.stream(), who.consumer(), who.name()))
        .findFirst();
  }

  /** Only those of a stream, or of one of its consumers. */
  public Roll of(Optional<String> stream, Optional<String> consumer) {
    Predicate<PauseScope> within =
        scope ->
            stream.map(scope.stream()::equals).orElse(true)
                && consumer
                    .map(it -> scope.consumer().isEmpty() || scope.consumer().get().equals(it))
                    .orElse(true);
    return new Roll(
        workers.stream()
            .filter(
                it -> {
                  WorkerReport.Who who = it.report().who();
                  return within.test(PauseScope.of(who.stream(), who.consumer()));
                })
            .toList(),
        pauses.stream().filter(it -> within.test(it.scope())).toList(),
        unreadable);
  }

  /** Those that a pause of that scope is for. */
  public List<WorkerSeen> among(PauseScope scope) {
    return workers.stream()
        .filter(
            it -> {
              WorkerReport.Who who = it.report().who();
              return scope.covers(who.stream(), who.consumer(), who.name());
            })
        .toList();
  }

  /** What all of them do a second. */
  public Rates perSecond() {
    return workers.stream().map(it -> it.report().perSecond()).reduce(Rates.NONE, Rates::plus);
  }
}
