package dev.contrail.jetstream;

/**
 * What a publisher has done and is doing. The counts only grow.
 *
 * @param published messages that a stream has stored, duplicates among them
 * @param duplicates those whose key the stream had already
 * @param rerouted those that went to the fallback subject, since no consumer claims their own
 * @param retries attempts beyond the first of a message
 * @param refused messages that no stream has
 * @param unknown messages that a stream may have or not
 * @param inFlight messages whose fate is not known yet
 * @param inFlightBytes their headers and payloads
 */
public record PublisherStatus(
    long published,
    long duplicates,
    long rerouted,
    long retries,
    long refused,
    long unknown,
    int inFlight,
    long inFlightBytes) {}
