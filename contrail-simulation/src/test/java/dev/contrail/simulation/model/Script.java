package dev.contrail.simulation.model;

import java.util.List;
import java.util.stream.Collectors;

/** A list of requests that a seed decides. */
record Script(long seed, List<Step> steps) {
  Script {
    steps = List.copyOf(steps);
  }

  Script without(int from, int to) {
    List<Step> rest = new java.util.ArrayList<>(steps.subList(0, from));
    rest.addAll(steps.subList(to, steps.size()));
    return new Script(seed, rest);
  }

  Script upTo(int size) {
    return new Script(seed, steps.subList(0, size));
  }

  String numbered(List<String> answers) {
    return java.util.stream.IntStream.range(0, steps.size())
        .mapToObj(
            i ->
                i
                    + ". "
                    + steps.get(i)
                    + (i < answers.size() ? "\n      -> " + answers.get(i) : ""))
        .collect(Collectors.joining("\n"));
  }
}
