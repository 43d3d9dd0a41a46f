package dev.contrail.operations.index;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Groups of dead letters, the largest first.
 *
 * @param from where the first stretch of every trend begins
 * @param stretch how long each is
 */
public record Groups(List<Group> groups, Instant from, Duration stretch) {}
