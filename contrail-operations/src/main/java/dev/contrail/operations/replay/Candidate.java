package dev.contrail.operations.replay;

import dev.contrail.event.EntryState;
import dev.contrail.evidence.DeadLetterSummary;

/** A dead letter that may be replayed, and how it stands with it. */
public record Candidate(DeadLetterSummary summary, EntryState state, Origin origin) {}
