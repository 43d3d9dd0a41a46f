package dev.contrail.simulation.model;

import java.util.List;

/**
 * What the server tells about a stream.
 *
 * @param firstNanos when the first message was stored that is there; 0 where there is none
 * @param lastNanos when the last one was, be it there or not; 0 before there was any
 */
public record StreamState(
    StreamSettings settings,
    long createdNanos,
    long messages,
    long firstSequence,
    long lastSequence,
    long subjects,
    long deleted,
    long firstNanos,
    long lastNanos,
    List<String> consumers) {}
