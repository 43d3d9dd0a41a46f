package dev.contrail.console.metrics;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Which streams are named in labels: those with the most, so that an account with thousands of them
 * does not become thousands of time series. The others go by {@link #OTHER} together.
 */
final class StreamLabels {
  static final int MOST = 100;
  static final String OTHER = "_other";

  private final Set<String> named;

  private StreamLabels(Set<String> named) {
    this.named = named;
  }

  static <T> StreamLabels of(List<T> totals, Function<T, String> stream, ToLongFunction<T> count) {
    Map<String, Long> counts = new HashMap<>();
    totals.forEach(it -> counts.merge(stream.apply(it), count.applyAsLong(it), Long::sum));
    return new StreamLabels(
        counts.entrySet().stream()
            .sorted(
                Comparator.comparing(Map.Entry<String, Long>::getValue)
                    .reversed()
                    .thenComparing(Map.Entry::getKey))
            .limit(MOST)
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet()));
  }

  String label(String stream) {
    return named.contains(stream) ? stream : OTHER;
  }
}
