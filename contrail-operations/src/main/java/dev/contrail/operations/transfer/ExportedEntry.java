package dev.contrail.operations.transfer;

import dev.contrail.evidence.DeadLetter;
import dev.contrail.jetstream.DeadLetterArchive.StoredEvent;
import java.util.List;

/** A dead letter and all its events, in the order in which they were stored. */
public record ExportedEntry(DeadLetter letter, List<StoredEvent> events) {}
