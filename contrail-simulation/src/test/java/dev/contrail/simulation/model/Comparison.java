package dev.contrail.simulation.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;

/** Runs scripts on the model and on a real server, and tells where they part. */
final class Comparison {
  /** What became of a script. */
  record Outcome(
      RealServer server, Script script, List<String> model, List<String> real, boolean late) {
    /** The first step with different answers. */
    Optional<Integer> difference() {
      for (int i = 0; i < model.size(); i++) {
        if (i >= real.size() || !model.get(i).equals(real.get(i))) {
          return Optional.of(i);
        }
      }
      return Optional.empty();
    }

    String report() {
      int at = difference().orElseThrow();
      return "seed %d, step %d:%n%s%n  the model says: %s%n  the server says: %s"
          .formatted(
              script.seed(),
              at,
              script.upTo(at + 1).numbered(real.subList(0, Math.min(at, real.size()))),
              model.get(at),
              at < real.size() ? real.get(at) : "nothing");
    }
  }

  /** Scripts begin one after the other, so that their requests do not come all at once. */
  private static final Duration PACE = Duration.ofMillis(45);

  private final RealServer server;
  private final Semaphore places;

  Comparison(RealServer server, int atOnce) {
    this.server = server;
    this.places = new Semaphore(atOnce);
  }

  List<Outcome> run(List<Script> scripts) throws InterruptedException, ExecutionException {
    List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
    for (Script script : scripts) {
      List<String> model = ModelSide.run(script, server.version);
      Script certain = script.upTo(model.size());
      places.acquire();
      Thread.sleep(PACE.toMillis());
      outcomes.add(
          server
              .run(certain)
              .whenComplete((transcript, failure) -> places.release())
              .handle(
                  (transcript, failure) ->
                      failure != null
                          ? new Outcome(
                              server, certain, model, List.of("failed: " + failure), false)
                          : new Outcome(
                              server,
                              certain,
                              model,
                              transcript.answers(),
                              transcript.slowestBeat().compareTo(Beat.REQUESTS) > 0)));
    }
    List<Outcome> all = new ArrayList<>();
    for (CompletableFuture<Outcome> outcome : outcomes) {
      all.add(outcome.get());
    }
    return all;
  }
}
