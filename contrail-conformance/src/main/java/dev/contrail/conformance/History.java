package dev.contrail.conformance;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What several workers did to a ledger, and when, and whether one ledger can have answered so: as
 * if each call had happened at one moment between its begin and its end.
 */
final class History {
  /** What is known of one message; times are those of the monotonic clock. */
  private static final class Seen {
    private long firstRecordBegan = Long.MAX_VALUE;
    private long firstKnownCompleted = Long.MAX_VALUE;
    private final List<long[]> found = new ArrayList<>();
    private final List<long[]> notFound = new ArrayList<>();
  }

  private final Map<Long, Seen> messages = new HashMap<>();

  /** A record was asked for, whatever became of it. */
  synchronized void recordBegan(long sequence, long nanos) {
    Seen seen = seen(sequence);
    seen.firstRecordBegan = Math.min(seen.firstRecordBegan, nanos);
  }

  synchronized void recordConfirmed(long sequence, long nanos) {
    Seen seen = seen(sequence);
    seen.firstKnownCompleted = Math.min(seen.firstKnownCompleted, nanos);
  }

  synchronized void lookedUp(long sequence, boolean completed, long began, long ended) {
    Seen seen = seen(sequence);
    (completed ? seen.found : seen.notFound).add(new long[] {began, ended});
    if (completed) {
      // Who was told so knows it, whether the record was confirmed to its writer or not.
      seen.firstKnownCompleted = Math.min(seen.firstKnownCompleted, ended);
    }
  }

  /** In one sentence each, what no ledger could have answered. */
  synchronized List<String> violations() {
    List<String> violations = new ArrayList<>();
    messages.forEach(
        (sequence, seen) -> {
          for (long[] call : seen.found) {
            if (call[1] < seen.firstRecordBegan) {
              violations.add("message " + sequence + " was completed before anyone recorded it");
            }
          }
          for (long[] call : seen.notFound) {
            if (call[0] > seen.firstKnownCompleted) {
              violations.add(
                  "message "
                      + sequence
                      + " was not completed "
                      + (call[0] - seen.firstKnownCompleted) / 1_000
                      + " µs after it was known to be");
            }
          }
        });
    return violations;
  }

  private Seen seen(long sequence) {
    return messages.computeIfAbsent(sequence, unknown -> new Seen());
  }
}
