package dev.contrail.simulation.model;

import java.util.List;

/** A message in a stream. */
public record StoredMessage(
    long sequence, String subject, List<Header> headers, Payload payload, long nanos) {}
