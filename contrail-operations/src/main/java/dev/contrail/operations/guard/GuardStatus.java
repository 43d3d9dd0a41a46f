package dev.contrail.operations.guard;

import java.time.Instant;
import java.util.Optional;

/**
 * How a guard stands. Numbers are of this process since it started.
 *
 * @param leading whether it leads
 * @param leader who leads instead, where that is known; for people to read
 * @param advisories how many advisories were read, repeated ones counted
 * @param buried how many dead letters were written
 * @param released how many messages were let go of
 * @param waiting how many are to be released, and may not yet; looked at again from time to time
 * @param failures how often something failed that was tried again since
 * @param lastSweep when the last sweep ended
 * @param trouble what fails at present, in a sentence; empty when nothing failed for a while
 */
public record GuardStatus(
    boolean leading,
    Optional<String> leader,
    long advisories,
    long buried,
    long released,
    long waiting,
    long failures,
    Optional<Instant> lastSweep,
    Optional<String> trouble) {}
