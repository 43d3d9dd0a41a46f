package dev.contrail.redis;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * For how long the completions of a consumer will still be known, against how late their messages
 * may come again.
 *
 * @param completions how many there are
 * @param endless how many of them Redis never forgets
 * @param unacked how many are of messages above the ack floor, which may still come again
 * @param unackedTooShort how many of those are forgotten within the effective AckWait
 * @param shortest the time that the first to be forgotten has left; empty when there is none
 * @param longest the time that the last has left
 * @param bands all but the endless by the time they have left, shortest first
 */
public record TtlDistribution(
    long completions,
    long endless,
    long unacked,
    long unackedTooShort,
    Optional<Duration> shortest,
    Optional<Duration> longest,
    List<Band> bands) {
  public TtlDistribution {
    bands = List.copyOf(bands);
  }

  /**
   * Those with a time left in a range.
   *
   * @param from at least this
   * @param below less than this; empty in the last one
   */
  public record Band(Duration from, Optional<Duration> below, long completions) {}
}
