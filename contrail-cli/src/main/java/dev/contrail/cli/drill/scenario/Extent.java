package dev.contrail.cli.drill.scenario;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * How much is drilled.
 *
 * @param messages in each scenario
 * @param kills in each scenario; as many as it has points, twice, if not said
 * @param quick each point once
 * @param ackWait of the consumers
 */
public record Extent(int messages, OptionalInt kills, boolean quick, Duration ackWait, long seed) {
  /** How often to kill where there are so many points. */
  int killsAt(int points) {
    return kills.orElse(quick ? points : 2 * points);
  }
}
