package dev.contrail.simulation.model;

/**
 * What the server tells about a consumer.
 *
 * @param ackFloorConsumer with {@code ackFloorStream}: what the server says, which is not to be
 *     relied on once a message was given up
 */
public record ConsumerState(
    ConsumerSettings settings,
    long createdNanos,
    long deliveredConsumer,
    long deliveredStream,
    long ackFloorConsumer,
    long ackFloorStream,
    long ackPending,
    long redelivered,
    long pending) {}
