package dev.contrail.bench.report;

/** Something Contrail wants to reach on two cores with a local server, and whether it did. */
public record Aim(String what, String wanted, String measured, boolean reached) {}
