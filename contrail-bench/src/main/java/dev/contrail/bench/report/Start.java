package dev.contrail.bench.report;

/**
 * How long a worker takes from its start to the first call of the handler.
 *
 * @param completions how many its ledger held
 */
public record Start(long completions, Spread millis) {}
