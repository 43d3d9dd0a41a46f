package dev.contrail.bench.report;

import java.util.List;
import java.util.Optional;

/** How fast each contender was with one workload. */
public record Throughput(Workload workload, List<Entry> entries) {
  /**
   * One contender.
   *
   * @param id the contender's letter
   * @param name what that is
   * @param messages how many it consumed in each round
   * @param rounds messages a second, round by round; rounds of one number were run one after
   *     another
   * @param perSecond the same, summed up
   * @param ratioToBare how many times as fast as (a), compared round by round
   * @param shareOfIdeal of what there would be if nothing but the handler took time; only if it
   *     waits
   */
  public record Entry(
      String id,
      String name,
      int messages,
      List<Double> rounds,
      Spread perSecond,
      Spread ratioToBare,
      Optional<Double> shareOfIdeal) {

    /** Sums the rounds of a contender up, beside those of (a). */
    public static Entry of(
        Contender contender,
        Workload workload,
        int messages,
        List<Double> rounds,
        List<Double> bare) {
      Spread perSecond = Spread.of(rounds).rounded(0);
      return new Entry(
          contender.id(),
          contender.title(),
          messages,
          rounds.stream().map(rate -> Decimals.round(rate, 0)).toList(),
          perSecond,
          Spread.ofRatios(rounds, bare).rounded(4),
          workload.waits()
              ? Optional.of(Decimals.round(perSecond.median() / workload.idealPerSecond(), 4))
              : Optional.empty());
    }
  }

  public Throughput {
    entries = List.copyOf(entries);
  }

  /** What that contender did, if it took part. */
  public Optional<Entry> of(Contender contender) {
    return entries.stream().filter(entry -> entry.id().equals(contender.id())).findFirst();
  }
}
