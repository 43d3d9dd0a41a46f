package dev.contrail.bench.report;

import java.util.List;

/**
 * What the console costs.
 *
 * @param deadLetters how many there were
 * @param coldMillis the first page that was ever asked for
 * @param pageMillis the slowest of overview, groups and list, the median of several
 * @param filterMillis the slowest of several filters, the median of several
 * @param megabytes of the heap that the service holds, the index in it
 * @param pages how many were open beside a worker
 * @param asked how often they asked for what they show
 * @param alonePerSecond messages of a worker while no page was open
 * @param besidePerSecond the same while they were
 * @param ratio of the two, round by round
 * @param aims what Contrail wants to reach
 */
public record ConsoleReport(
    int deadLetters,
    double coldMillis,
    double pageMillis,
    double filterMillis,
    double megabytes,
    int pages,
    long asked,
    Spread alonePerSecond,
    Spread besidePerSecond,
    Spread ratio,
    List<Aim> aims) {
  /** Draws the conclusions. */
  public ConsoleReport withAims() {
    return new ConsoleReport(
        deadLetters,
        coldMillis,
        pageMillis,
        filterMillis,
        megabytes,
        pages,
        asked,
        alonePerSecond,
        besidePerSecond,
        ratio,
        Aims.of(this));
  }
}
