package dev.contrail.simulation.model;

/** A message as a consumer gets it. */
public record ModelDelivery(StoredMessage message, AckSubject reply) {}
