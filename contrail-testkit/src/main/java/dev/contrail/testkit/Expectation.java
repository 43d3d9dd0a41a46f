package dev.contrail.testkit;

import dev.contrail.engine.Outcome;
import java.util.Optional;
import java.util.function.Function;

/**
 * What is expected of a run.
 *
 * @param wish goes on after “to”
 * @param objection what speaks against it, as a sentence that goes on after “but”
 */
record Expectation(String wish, Function<Outcome, Optional<String>> objection) {
  void check(String subject, String circumstance, Outcome outcome) {
    objection
        .apply(outcome)
        .ifPresent(
            but -> {
              AssertionError error =
                  new AssertionError(
                      "expected " + subject + "to " + wish + circumstance + ", but " + but);
              if (outcome instanceof Outcome.Failed failed) {
                error.initCause(failed.cause());
              }
              throw error;
            });
  }
}
