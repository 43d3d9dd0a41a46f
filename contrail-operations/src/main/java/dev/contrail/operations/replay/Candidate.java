package dev.contrail.operations.replay;

import dev.contrail.event.EntryState;
import dev.contrail.evidence.DeadLetterSummary;
import java.util.Optional;

/**
 * A dead letter that may be replayed, and how it stands with it.
 *
 * @param version of the payload that would be replayed; 0 for the original
 * @param supplied the bytes of a payload that is to take the place of the stored one, and is not
 *     stored itself yet
 */
public record Candidate(
    DeadLetterSummary summary,
    EntryState state,
    Origin origin,
    int version,
    Optional<Long> supplied) {
  /** With the newest version of its payload. */
  public Candidate(DeadLetterSummary summary, EntryState state, Origin origin) {
    this(summary, state, origin, state.version(), Optional.empty());
  }

  /** As it would be with another payload of so many bytes. */
  public Candidate edited(long payloadBytes) {
    EntryState after =
        new EntryState(
            state.status(), state.lastStep() + 1, state.version() + 1, state.returnedAs());
    return new Candidate(summary, after, origin, after.version(), Optional.of(payloadBytes));
  }

  /** With that version of its payload. */
  public Candidate ofVersion(int chosen) {
    return new Candidate(summary, state, origin, chosen, Optional.empty());
  }
}
