package dev.contrail.operations.replay;

import dev.contrail.event.EntryState;
import dev.contrail.evidence.DeadLetterSummary;

/** A dead letter that may be replayed, and how it stands with it. */
public record Candidate(DeadLetterSummary summary, EntryState state, Origin origin) {
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
}
