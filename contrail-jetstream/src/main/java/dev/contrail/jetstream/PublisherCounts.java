package dev.contrail.jetstream;

import java.util.concurrent.atomic.LongAdder;

/** What a publisher has done so far. */
final class PublisherCounts {
  final LongAdder published = new LongAdder();
  final LongAdder duplicates = new LongAdder();
  final LongAdder rerouted = new LongAdder();
  final LongAdder retries = new LongAdder();
  final LongAdder refused = new LongAdder();
  final LongAdder unknown = new LongAdder();

  void published(Published message) {
    published.increment();
    if (message.duplicate()) {
      duplicates.increment();
    }
    if (message.reroutedFrom().isPresent()) {
      rerouted.increment();
    }
  }

  PublisherStatus status(InFlightBound inFlight) {
    return new PublisherStatus(
        published.sum(),
        duplicates.sum(),
        rerouted.sum(),
        retries.sum(),
        refused.sum(),
        unknown.sum(),
        inFlight.messages(),
        inFlight.bytes());
  }
}
