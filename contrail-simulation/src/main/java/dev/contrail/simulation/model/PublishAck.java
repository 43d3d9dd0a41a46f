package dev.contrail.simulation.model;

/** What a stream confirms of a publication. */
public record PublishAck(String stream, long sequence, boolean duplicate) {}
