package dev.contrail.simulation.model;

import java.util.List;

/** What the server tells about a stream. */
public record StreamState(
    StreamSettings settings,
    long createdNanos,
    long messages,
    long firstSequence,
    long lastSequence,
    long subjects,
    long deleted,
    List<String> consumers) {}
