package dev.contrail.operations.doctor.advice;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What is asked of a stream.
 *
 * @param waitsForWorker whether work must wait for a worker that may not exist yet
 * @param mayVanish whether a message may vanish when no consumer is interested in it
 * @param severalReaders whether several kinds of consumers each get every message
 * @param bounds the most it may hold; empty for no bounds
 * @param replicas how many servers keep it
 */
public record Needs(
    String name,
    List<String> subjects,
    boolean waitsForWorker,
    boolean mayVanish,
    boolean severalReaders,
    Optional<Bounds> bounds,
    int replicas) {
  public Needs {
    subjects = List.copyOf(subjects);
  }

  /**
   * The most a stream may hold.
   *
   * @param age empty: the one that fits the retention, if it needs any
   */
  public record Bounds(long bytes, Optional<Duration> age) {}
}
