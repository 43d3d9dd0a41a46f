package dev.contrail.console.desk;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What workers are doing, as they tell it. Answers from memory. */
public interface WorkerReports {
  /** Nobody tells yet. */
  WorkerReports NONE = List::of;

  /**
   * One worker.
   *
   * @param perSecond messages processed
   * @param oldestRunning since when the one runs that runs longest
   * @param retrying what fails and is tried again, by what it fails of
   */
  record Worker(
      String name,
      String version,
      String stream,
      String consumer,
      Instant at,
      double perSecond,
      long inFlight,
      long held,
      String breaker,
      boolean paused,
      Optional<Instant> oldestRunning,
      List<Retrying> retrying) {}

  /** Messages that fail alike and are not dead yet. */
  record Retrying(String fingerprint, String what, long messages, long mostDeliveries) {}

  /** Those that told lately, by name. */
  List<Worker> workers();
}
