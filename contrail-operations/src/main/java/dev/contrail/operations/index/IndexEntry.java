package dev.contrail.operations.index;

import dev.contrail.event.EntryState;
import dev.contrail.evidence.DeadLetterSummary;

/**
 * A dead letter, and how it stands with it.
 *
 * @param position its sequence in the dead-letter stream: later ones were stored later
 */
public record IndexEntry(DeadLetterSummary summary, EntryState state, long position) {}
