package dev.contrail.bench.report;

/**
 * What a guard costs.
 *
 * @param exhausted how many messages their consumer had given up on
 * @param seconds until each had a dead letter and was gone from its workqueue, from the advisories
 *     on
 */
public record GuardSize(int exhausted, double seconds) {}
