package dev.contrail.engine;

import dev.contrail.policy.BreakerPolicy;
import java.util.HashSet;
import java.util.Set;

/**
 * Tells an outage from a run of bad messages. It is time that opens it, not a count of failures:
 * 500 poison messages in a row beside healthy ones are no outage.
 */
final class Breaker {
  private final BreakerPolicy policy;
  private final Set<Long> failed = new HashSet<>();
  private long failingSinceNanos;
  private boolean open;
  private long nextProbeNanos;

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
    return true;
  }

  boolean probeDue(Now now) {
    return open && now.nanos() - nextProbeNanos >= 0;
  }

  void probed(Now now) {
    nextProbeNanos = now.nanos() + policy.probeEvery().toNanos();
  }
}
