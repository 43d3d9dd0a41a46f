package dev.contrail.operations.replay;

import dev.contrail.event.EntryState;
import dev.contrail.evidence.DeadLetterSummary;

/** A dead letter, and how it stands with it. */
public record Standing(DeadLetterSummary summary, EntryState state) {}
