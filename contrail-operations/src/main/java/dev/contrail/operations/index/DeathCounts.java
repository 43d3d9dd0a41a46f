package dev.contrail.operations.index;

import dev.contrail.evidence.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * How many died when, and for which reason.
 *
 * @param from where the first stretch begins
 * @param stretch how long each is
 * @param counts of each reason that anything died for, the oldest stretch first
 */
public record DeathCounts(Instant from, Duration stretch, Map<Reason, List<Integer>> counts) {}
