package dev.contrail.bench.report;

/**
 * What it costs to find orphans.
 *
 * @param messages of the stream
 * @param subjects on which they are
 * @param unclaimed how many of the subjects no consumer claims
 * @param scanSeconds until all were found, the median of several
 * @param serverSeconds what the server alone takes to count what a scan has to ask: what is pending
 *     for the consumers, and the messages of each subject
 * @param fewerMessages of a stream with as many subjects
 * @param fewerScanSeconds the same for that stream
 * @param fewerServerSeconds the same for that stream
 * @param ratio of the two scans
 * @param serverRatio of the two times that the server takes
 */
public record OrphanReport(
    int messages,
    int subjects,
    int unclaimed,
    double scanSeconds,
    double serverSeconds,
    int fewerMessages,
    double fewerScanSeconds,
    double fewerServerSeconds,
    double ratio,
    double serverRatio) {
  /** How long a scan takes, and how long the server takes for the largest answers in it. */
  public record Times(double scan, double server) {}

  /** With the ratios. */
  public static OrphanReport of(
      int messages, int subjects, int unclaimed, Times times, int fewerMessages, Times fewer) {
    return new OrphanReport(
        messages,
        subjects,
        unclaimed,
        Decimals.round(times.scan, 3),
        Decimals.round(times.server, 3),
        fewerMessages,
        Decimals.round(fewer.scan, 3),
        Decimals.round(fewer.server, 3),
        Decimals.round(times.scan / fewer.scan, 2),
        Decimals.round(times.server / fewer.server, 2));
  }
}
