package dev.contrail.bench.report;

/**
 * What it costs to find and to replay dead letters.
 *
 * @param indexed how many there were
 * @param indexReadySeconds until the index had read them all
 * @param indexMegabytes of the heap that the index holds
 * @param groupsMillis to group all of them, the median of several
 * @param newestMillis to list the newest 50
 * @param newestMessages that the server sent for that
 * @param replayed how many were replayed
 * @param replayedPerSecond by a plan, from its beginning to its end
 * @param barePerSecond the same payloads by a bare publishAsync
 */
public record DeadLetterReport(
    int indexed,
    double indexReadySeconds,
    double indexMegabytes,
    double groupsMillis,
    double newestMillis,
    long newestMessages,
    int replayed,
    double replayedPerSecond,
    double barePerSecond) {
  /** Of a bare publishAsync. */
  public double replayRatio() {
    return replayedPerSecond / barePerSecond;
  }
}
