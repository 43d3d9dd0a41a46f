package dev.contrail.simulation.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/** Makes a script on which model and server part as short as it can, on the server itself. */
final class Shrinking {
  private Shrinking() {}

  static Comparison.Outcome of(Comparison.Outcome found)
      throws InterruptedException, ExecutionException {
    Comparison.Outcome best = found;
    for (boolean shorter = true; shorter; ) {
      Optional<Comparison.Outcome> next = shorter(best);
      shorter = next.isPresent();
      best = next.orElse(best);
    }
    return best;
  }

  private static Optional<Comparison.Outcome> shorter(Comparison.Outcome best)
      throws InterruptedException, ExecutionException {
    Script script = best.script().upTo(best.difference().orElseThrow() + 1);
    List<Script> candidates = new ArrayList<>();
    for (int length = script.steps().size() / 2; length > 0; length /= 2) {
      for (int from = 0; from + length < script.steps().size(); from += length) {
        candidates.add(script.without(from, from + length));
      }
    }
    return new Comparison(best.server(), candidates.size() + 1)
        .run(candidates).stream()
            .filter(outcome -> !outcome.late() && outcome.difference().isPresent())
            .findFirst();
  }
}
