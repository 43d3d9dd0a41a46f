package dev.contrail.cli.dlq;

import dev.contrail.event.EntryState;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.jetstream.EventStore;
import java.util.List;
import java.util.Map;

/**
 * A dead letter as it may be seen, and its history.
 *
 * @param differences what each version of its payload changed, line by line
 */
record Shown(
    DeadLetter letter,
    EntryState state,
    EventStore.Listing history,
    Map<Integer, List<String>> differences) {}
