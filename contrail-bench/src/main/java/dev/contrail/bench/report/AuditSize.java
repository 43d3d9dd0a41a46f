package dev.contrail.bench.report;

/**
 * What an audit costs.
 *
 * @param messages how many sequences were looked at
 * @param dead how many of them, here and there, have a dead letter
 * @param waiting how many wait, whose subjects were read
 * @param seconds from the question to the answer
 * @param peakMegabytes the most of the heap that was reachable meanwhile, in a second run
 */
public record AuditSize(
    long messages, long dead, long waiting, double seconds, double peakMegabytes) {}
