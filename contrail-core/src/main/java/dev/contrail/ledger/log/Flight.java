package dev.contrail.ledger.log;

import java.util.List;

/**
 * Records that were sent together: the commit of what had been completed, and the barrier of what
 * had arrived. Mostly one record; more where a block ends.
 */
final class Flight {
  final long sentNanos;
  final long sentAtPosition;
  final List<Recording> recordings;
  final List<LookUp> lookUps;
  private int unconfirmed;
  private long place;
  private long confirmedNanos;

  Flight(long sentNanos, long sentAtPosition, List<Recording> recordings, List<LookUp> lookUps) {
    this.sentNanos = sentNanos;
    this.sentAtPosition = sentAtPosition;
    this.recordings = recordings;
    this.lookUps = lookUps;
  }

  /** So many records: known before the first is sent, or its answer would pass for that to all. */
  void sends(int records) {
    unconfirmed = records;
  }

  /** Returns whether that was the last. */
  boolean confirmed(long recordPlace, long nowNanos) {
    place = Math.max(place, recordPlace);
    confirmedNanos = nowNanos;
    return --unconfirmed == 0;
  }

  /** Who has read the log up to here knows all that was confirmed before this was sent. */
  long place() {
    return place;
  }

  long confirmedNanos() {
    return confirmedNanos;
  }

  /** It is not known whether it is stored. */
  void fail(Throwable cause) {
    recordings.forEach(recording -> recording.fail(cause));
    failLookUps(cause);
  }

  /** It is stored, and will not be read. */
  void failLookUps(Throwable cause) {
    lookUps.forEach(lookUp -> lookUp.fail(cause));
  }
}
