package dev.contrail.console.desk;

import dev.contrail.jetstream.report.WorkerReport;
import dev.contrail.operations.workers.Look;
import dev.contrail.operations.workers.Roll;
import dev.contrail.operations.workers.WorkerSeen;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * All workers in a few numbers.
 *
 * @param heldUp those of which the breaker is open or a store is away
 * @param seenAt when they were looked at last; empty before the first time
 * @param staleSince the same where that was long ago: this is how they were then
 */
public record WorkerSums(
    int count,
    WorkerReport.Rates perSecond,
    long breakersOpen,
    long waiting,
    long paused,
    List<WorkerSeen> heldUp,
    Optional<Instant> seenAt,
    Optional<Instant> staleSince) {
  static WorkerSums of(WorkerDesk desk) {
    Roll roll = desk.roll();
    List<WorkerSeen> all = roll.workers();
    return new WorkerSums(
        all.size(),
        roll.perSecond(),
        all.stream().filter(it -> it.report().breaker().isPresent()).count(),
        all.stream().filter(it -> !it.report().holds().isEmpty()).count(),
        all.stream().filter(WorkerSeen::isPaused).count(),
        all.stream()
            .filter(it -> it.report().breaker().isPresent() || !it.report().holds().isEmpty())
            .toList(),
        desk.lastLook().map(Look::at),
        desk.staleSince());
  }

  /** What is not as it should be, in a few words; empty where all is. */
  public String trouble() {
    StringBuilder words = new StringBuilder();
    add(words, breakersOpen, "breaker open", "breakers open");
    add(words, waiting, "waits for a store", "wait for a store");
    add(words, paused, "paused", "paused");
    return words.toString();
  }

  private static void add(StringBuilder words, long count, String one, String more) {
    if (count > 0) {
      words
          .append(words.isEmpty() ? "" : ", ")
          .append(count)
          .append(' ')
          .append(count == 1 ? one : more);
    }
  }
}
