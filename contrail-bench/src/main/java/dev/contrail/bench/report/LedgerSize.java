package dev.contrail.bench.report;

/**
 * What a JetStream ledger takes once it holds so many completions, of which one in a hundred
 * sequences, at random, is missing.
 *
 * @param heapBytes in the memory of a worker
 * @param streamBytes in the stream, as the server counts them
 * @param lookUpNanos for one look-up anywhere in it
 */
public record LedgerSize(
    long completions, long heapBytes, long streamBytes, long streamRecords, double lookUpNanos) {}
