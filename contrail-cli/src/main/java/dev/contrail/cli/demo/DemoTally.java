package dev.contrail.cli.demo;

import dev.contrail.engine.WorkerCounts;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.evidence.Reason;
import java.util.List;

/**
 * Where all the orders are.
 *
 * @param deduplicated deliveries of orders that were processed before, and not run again
 * @param waiting in the stream: not delivered yet, or waiting for another try
 */
record DemoTally(
    long published,
    long processed,
    long deduplicated,
    long retries,
    long undecodable,
    long rejected,
    long deliveryLimit,
    long waiting) {

  static DemoTally of(
      long published, WorkerCounts counts, List<DeadLetterSummary> dead, long waiting) {
    return new DemoTally(
        published,
        counts.done(),
        counts.deduplicated(),
        counts.retried(),
        count(dead, Reason.UNDECODABLE),
        count(dead, Reason.REJECTED),
        count(dead, Reason.DELIVERY_LIMIT),
        waiting);
  }

  long dead() {
    return undecodable + rejected + deliveryLimit;
  }

  long unaccounted() {
    return published - processed - dead() - waiting;
  }

  private static long count(List<DeadLetterSummary> dead, Reason reason) {
    return dead.stream().filter(letter -> letter.reason() == reason).count();
  }
}
