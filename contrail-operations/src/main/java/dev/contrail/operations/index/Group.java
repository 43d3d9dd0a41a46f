package dev.contrail.operations.index;

import dev.contrail.evidence.Reason;
import java.time.Instant;
import java.util.List;
import java.util.SortedSet;

/**
 * Dead letters that look like the same bug.
 *
 * @param open how many of them are open, which those that are being replayed are not
 * @param trend how many died in each stretch of time, the oldest first; see {@link Groups}
 * @param example the newest of them
 */
public record Group(
    String fingerprint,
    long count,
    long open,
    Instant firstSeen,
    Instant lastSeen,
    List<Integer> trend,
    SortedSet<Reason> reasons,
    SortedSet<String> streams,
    SortedSet<String> consumers,
    SortedSet<String> appVersions,
    IndexEntry example) {}
