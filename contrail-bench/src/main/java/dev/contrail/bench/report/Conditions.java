package dev.contrail.bench.report;

import java.util.Optional;

/**
 * Where it was measured.
 *
 * @param server the NATS server, without passwords
 * @param embedded whether the bench started that server itself
 * @param redisVersion that of the Redis server, if there was one
 * @param virtualThreads whether handlers ran on virtual threads
 */
public record Conditions(
    String server,
    String serverVersion,
    boolean embedded,
    int replicas,
    Optional<String> redisVersion,
    String jdk,
    boolean virtualThreads,
    int cores,
    long maxHeapBytes,
    String system) {}
