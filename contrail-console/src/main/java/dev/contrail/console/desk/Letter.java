package dev.contrail.console.desk;

import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.evidence.DeadLetter;
import java.util.List;
import java.util.Map;

/**
 * A dead letter as it may be seen, and its history.
 *
 * @param unreadable a sentence for each event that cannot be read
 * @param differences what each version of its payload changed, line by line
 */
public record Letter(
    DeadLetter letter,
    EntryState state,
    List<Event> events,
    List<String> unreadable,
    Map<Integer, List<String>> differences) {}
