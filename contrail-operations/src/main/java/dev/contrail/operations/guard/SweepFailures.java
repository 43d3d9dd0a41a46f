package dev.contrail.operations.guard;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What failed of the stranded messages of a subject: told and counted, and the others are gone on
 * with.
 */
final class SweepFailures {
  /** So many one after the other are no matter of single messages. */
  private static final int TOO_MANY = 128;

  private final Tally tally;
  private long first = Long.MAX_VALUE;
  private int inARow;

  SweepFailures(Tally tally) {
    this.tally = tally;
  }

  /** Waits for the result; empty when it failed. */
  <T> Optional<T> join(long sequence, String what, CompletableFuture<T> future) {
    try {
      T result = Joined.of(future);
      inARow = 0;
      return Optional.of(result);
    } catch (RuntimeException e) {
      add(sequence, what, e);
      return Optional.empty();
    }
  }

  void add(long sequence, String what, RuntimeException failure) {
    tally.failed(what, failure);
    first = Math.min(first, sequence);
    inARow++;
  }

  /** The first sequence that is to be tried again; beyond all others where there is none. */
  long first() {
    return first;
  }

  /** Whether those that follow had better wait for the next sweep. */
  boolean tooMany() {
    return inARow >= TOO_MANY;
  }
}
