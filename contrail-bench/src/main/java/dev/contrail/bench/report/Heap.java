package dev.contrail.bench.report;

/**
 * What the process kept after a long run with the JetStream ledger.
 *
 * @param messages how many the worker had processed
 * @param beforeBytes used before it started, after a collection
 * @param afterBytes used while it still runs, after a collection
 */
public record Heap(long messages, long beforeBytes, long afterBytes) {}
