package dev.contrail.cli.drill.account;

import dev.contrail.cli.drill.place.Observer;
import dev.contrail.cli.drill.place.Published;
import dev.contrail.ledger.SequenceSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that is known of a drill from outside the workers.
 *
 * @param runs of all processes, in the order in which they began
 * @param completed what the ledger holds; empty for workers that keep none
 * @param recordedMicros when it was learned of each completion
 * @param letters by the sequence of the message that died
 * @param unreadable sentences about dead letters that cannot be read
 * @param present the sequences that the stream still holds
 * @param settled whether nothing waits to be delivered or answered for
 * @param auditGaps what the audit cannot account for, a sentence each; empty where none was made
 */
public record Facts(
    List<Published> published,
    List<Run> runs,
    Optional<SequenceSet> completed,
    Map<Long, Long> recordedMicros,
    Map<Long, Observer.Acked> acked,
    Map<Long, Letter> letters,
    List<String> unreadable,
    SequenceSet present,
    boolean settled,
    List<String> auditGaps) {}
