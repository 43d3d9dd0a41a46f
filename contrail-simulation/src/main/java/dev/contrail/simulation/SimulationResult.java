package dev.contrail.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What came of one schedule.
 *
 * @param broken the promise that was broken first, if any
 * @param what how
 * @param scenario what the seed decided on
 * @param trace all events, where they are told
 * @param hash the events as a number: the same for the same seed
 */
public record SimulationResult(
    long seed,
    Optional<Invariant> broken,
    String what,
    String scenario,
    List<String> trace,
    long hash) {
  /** With what came of a second part of it. */
  SimulationResult then(SimulationResult more) {
    List<String> events = new ArrayList<>(trace);
    events.addAll(more.trace);
    return new SimulationResult(
        seed,
        more.broken,
        more.what,
        scenario + "; " + more.scenario,
        events,
        31 * hash + more.hash);
  }

  /** The last events, at most so many. */
  public List<String> lastEvents(int most) {
    return trace.subList(Math.max(0, trace.size() - most), trace.size());
  }
}
