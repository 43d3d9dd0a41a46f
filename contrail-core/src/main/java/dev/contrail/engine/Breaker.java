package dev.contrail.engine;

import dev.contrail.policy.BreakerPolicy;
import java.util.HashSet;
import java.util.Set;

/**
 * Tells an outage from a run of bad messages. It is time that opens it, not a count of failures:
 * 500 poison messages in a row beside healthy ones are no outage.
 */
final class Breaker {
  /** With the default of 30 s half an hour, about what a full window takes to be tried through. */
  private static final long LET_GO_FACTOR = 60;

  private final BreakerPolicy policy;
  private final Set<Long> failed = new HashSet<>();
  private long failingSinceNanos;
  private boolean open;
  private long nextProbeNanos;
  private long nextLetGoNanos;

  Breaker(BreakerPolicy policy) {
    this.policy = policy;
  }

  boolean isOpen() {
    return open;
  }

  /** Returns whether this closed it. */
  boolean succeeded() {
    failed.clear();
    boolean closed = open;
    open = false;
    return closed;
  }

  /** Returns whether this opened it. */
  boolean failed(long sequence, Now now) {
    if (failed.isEmpty()) {
      failingSinceNanos = now.nanos();
    }
    if (failed.size() < policy.distinctFailures()) {
      failed.add(sequence);
    }
    if (open
        || failed.size() < policy.distinctFailures()
        || now.nanos() - failingSinceNanos < policy.openAfter().toNanos()) {
      return false;
    }
    open = true;
    nextProbeNanos = now.nanos() + policy.probeEvery().toNanos();
    letGo(now);
    return true;
  }

  boolean probeDue(Now now) {
    return open && now.nanos() - nextProbeNanos >= 0;
  }

  void probed(Now now) {
    nextProbeNanos = now.nanos() + policy.probeEvery().toNanos();
  }

  /** Whether it has been open so long that even a few messages may be poison and no outage. */
  boolean letGoDue(Now now) {
    return now.nanos() - nextLetGoNanos >= 0;
  }

  void letGo(Now now) {
    nextLetGoNanos = now.nanos() + policy.openAfter().toNanos() * LET_GO_FACTOR;
  }
}
