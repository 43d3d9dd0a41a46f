package dev.contrail.simulation;

import java.util.List;
import java.util.stream.Collectors;

/** Failed schedules as a developer wants to read them. */
final class Failures {
  private Failures() {}

  static String told(List<SimulationResult> failures) {
    return failures.stream()
        .map(
            failure ->
                "\n"
                    + String.join("\n", failure.lastEvents(60))
                    + "\nseed "
                    + failure.seed()
                    + ": "
                    + failure.broken().map(Invariant::label).orElse("")
                    + ": "
                    + failure.what()
                    + "\nall of it: ./contrail sim --seed "
                    + failure.seed())
        .collect(Collectors.joining("\n"));
  }
}
