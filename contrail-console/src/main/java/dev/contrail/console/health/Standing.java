package dev.contrail.console.health;

import dev.contrail.operations.guard.GuardStatus;
import io.nats.client.Connection;
import java.util.Optional;

/**
 * How it stands with what a service needs.
 *
 * @param stopping whether it was asked to end
 * @param server the NATS server for people to read, without passwords
 * @param indexRead how much of the dead letters is read, from 0 to 1
 * @param indexProblem what keeps the index from being up to date
 * @param guard empty before it is started
 */
public record Standing(
    boolean stopping,
    String server,
    Connection.Status nats,
    double indexRead,
    Optional<String> indexProblem,
    Optional<GuardStatus> guard) {}
