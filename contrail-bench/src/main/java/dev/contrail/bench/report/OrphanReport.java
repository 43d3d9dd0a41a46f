package dev.contrail.bench.report;

/**
 * What it costs to find orphans.
 *
 * @param messages of the stream
 * @param subjects on which they are
 * @param unclaimed how many of the subjects no consumer claims
 * @param scanSeconds until all were found, the median of several
 * @param fewerMessages of a stream with as many subjects
 * @param fewerScanSeconds the same for that stream
 * @param ratio of the two times
 */
public record OrphanReport(
    int messages,
    int subjects,
    int unclaimed,
    double scanSeconds,
    int fewerMessages,
    double fewerScanSeconds,
    double ratio) {
  /** With the ratio. */
  public static OrphanReport of(
      int messages,
      int subjects,
      int unclaimed,
      double scanSeconds,
      int fewerMessages,
      double fewerScanSeconds) {
    return new OrphanReport(
        messages,
        subjects,
        unclaimed,
        Decimals.round(scanSeconds, 3),
        fewerMessages,
        Decimals.round(fewerScanSeconds, 3),
        Decimals.round(scanSeconds / fewerScanSeconds, 2));
  }
}
