package dev.contrail.engine;

/**
 * What a worker is doing.
 *
 * @param counts what it has done since it started
 * @param inFlight messages it holds
 * @param inFlightBytes what those weigh, headers and payload
 * @param held of those, kept because a store is down or refuses them, or the breaker is open
 * @param breakerOpen whether the circuit breaker is open
 * @param paused whether it was told to pause
 */
public record WorkerStatus(
    WorkerCounts counts,
    int inFlight,
    long inFlightBytes,
    int held,
    boolean breakerOpen,
    boolean paused) {}
