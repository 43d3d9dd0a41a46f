package dev.contrail.operations.replay;

import dev.contrail.event.EntryState;
import dev.contrail.evidence.DeadLetterSummary;

/**
 * A dead letter that may be replayed, and how it stands with it.
 *
 * @param version of the payload that would be replayed; 0 for the original
 */
public record Candidate(DeadLetterSummary summary, EntryState state, Origin origin, int version) {
  /** With the newest version of its payload. */
  public Candidate(DeadLetterSummary summary, EntryState state, Origin origin) {
    this(summary, state, origin, state.version());
  }

  /** As it would be with another payload of so many bytes. */
  public Candidate edited(long payloadBytes) {
    DeadLetterSummary with =
        new DeadLetterSummary(
            summary.id(),
            summary.reason(),
            summary.subject(),
            summary.deliveries(),
            summary.exceptionClass(),
            summary.exceptionMessage(),
            summary.fingerprint(),
            summary.deadAt(),
            summary.publishedAt(),
            payloadBytes,
            summary.payloadSha256(),
            summary.appVersion(),
            summary.redacted());
    EntryState after =
        new EntryState(
            state.status(), state.lastStep() + 1, state.version() + 1, state.returnedAs());
    return new Candidate(with, after, origin);
  }

  /** With that version of its payload. */
  public Candidate ofVersion(int chosen) {
    return new Candidate(summary, state, origin, chosen);
  }
}
