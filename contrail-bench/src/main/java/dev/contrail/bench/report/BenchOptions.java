package dev.contrail.bench.report;

/**
 * How it was measured.
 *
 * @param rounds of each contender and workload, after those to warm up
 * @param roundSeconds about how long a round lasts
 * @param window how many messages could be unacknowledged, for all alike
 * @param batch how many a bare client asks for at once
 * @param concurrency how many handlers ran at once where they wait
 */
public record BenchOptions(
    boolean quick,
    int rounds,
    int warmUps,
    double roundSeconds,
    int window,
    int batch,
    int concurrency) {}
