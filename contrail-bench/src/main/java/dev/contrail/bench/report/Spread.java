package dev.contrail.bench.report;

import java.util.List;

/** Several measurements of one thing: the one in the middle, and the ends. */
public record Spread(double median, double low, double high) {
  /**
   * Sums them up.
   *
   * @param values at least one; of an even number, the median is the mean of the two in the middle
   */
  public static Spread of(List<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("nothing was measured");
    }
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int half = sorted.length / 2;
    double median = sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    return new Spread(median, sorted[0], sorted[sorted.length - 1]);
  }

  /**
   * How many times the others these are, each divided by the one of the same round, for whatever
   * slows the machine down for a while slows both.
   */
  public static Spread ofRatios(List<Double> values, List<Double> others) {
    if (values.size() != others.size()) {
      throw new IllegalArgumentException(
          values.size() + " rounds cannot be compared with " + others.size());
    }
    List<Double> ratios =
        java.util.stream.IntStream.range(0, values.size())
            .mapToObj(round -> values.get(round) / others.get(round))
            .toList();
    return of(ratios);
  }

  /** The same with so many decimals. */
  public Spread rounded(int decimals) {
    return new Spread(
        Decimals.round(median, decimals),
        Decimals.round(low, decimals),
        Decimals.round(high, decimals));
  }
}
