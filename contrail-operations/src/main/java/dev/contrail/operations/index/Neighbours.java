package dev.contrail.operations.index;

import dev.contrail.evidence.DeadLetterId;
import java.util.Optional;

/**
 * Those that were stored next to a dead letter among those that a filter accepts.
 *
 * @param place which one it is, the newest being 1; 0 where the filter does not accept it
 * @param of how many there are
 */
public record Neighbours(
    Optional<DeadLetterId> newer, Optional<DeadLetterId> older, long place, long of) {}
