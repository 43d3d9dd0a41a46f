package dev.contrail.cli.drill.report;

import java.util.Collection;
import java.util.List;

/**
 * How times spread, in milliseconds.
 *
 * @param count how many there are; all others are 0 when there are none
 */
public record Spread(int count, long least, long median, long p99, long most) {
  public static Spread of(Collection<Long> millis) {
    List<Long> sorted = millis.stream().sorted().toList();
    int count = sorted.size();
    return count == 0
        ? new Spread(0, 0, 0, 0, 0)
        : new Spread(
            count,
            sorted.get(0),
            sorted.get(count / 2),
            sorted.get(Math.min(count - 1, count * 99 / 100)),
            sorted.get(count - 1));
  }
}
