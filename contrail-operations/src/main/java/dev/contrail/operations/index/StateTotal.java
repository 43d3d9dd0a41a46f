package dev.contrail.operations.index;

import dev.contrail.event.Status;

/** How many dead letters of a stream are in the same state. */
public record StateTotal(String stream, Status state, long count) {}
