package dev.contrail.cli.drill.account;

import dev.contrail.cli.drill.worker.RunLine;
import dev.contrail.cli.drill.worker.RunLine.What;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One run of a handler.
 *
 * @param number of the work
 * @param worker which process, from 1
 * @param disturbed whether that process was killed, or stopped for a while
 * @param delivery how often the message had been delivered by then
 * @param end how it ended; empty for one that its process did not survive
 */
public record Run(
    long number,
    long sequence,
    int worker,
    boolean disturbed,
    long startMicros,
    long delivery,
    boolean replayed,
    Optional<RunLine> end) {
  /** Whether the work was done. */
  public boolean isDone() {
    return end.filter(line -> line.what() == What.DONE).isPresent();
  }

  public long endMicros() {
    return end.map(RunLine::micros).orElse(Long.MAX_VALUE);
  }

  /** The runs of one process, from what it wrote down. A handler runs a message once at a time. */
  public static List<Run> of(int worker, boolean disturbed, List<RunLine> lines) {
    Map<Long, RunLine> begun = new HashMap<>();
    List<Run> runs = new ArrayList<>();
    for (RunLine line : lines) {
      switch (line.what()) {
        case START -> begun.put(line.sequence(), line);
        case DONE, REJECTED, FAILED -> {
          RunLine start = begun.remove(line.sequence());
          if (start != null) {
            runs.add(run(worker, disturbed, start, Optional.of(line)));
          }
        }
        default -> {
          // Not about runs.
        }
      }
    }
    begun.values().forEach(start -> runs.add(run(worker, disturbed, start, Optional.empty())));
    runs.sort(Comparator.comparingLong(Run::startMicros));
    return runs;
  }

  private static Run run(int worker, boolean disturbed, RunLine start, Optional<RunLine> end) {
    return new Run(
        start.number(),
        start.sequence(),
        worker,
        disturbed,
        start.micros(),
        start.delivery(),
        start.detail().equals("replayed"),
        end);
  }
}
