package dev.contrail.plan;

import dev.contrail.evidence.DeadLetterId;

/**
 * One dead letter of a plan.
 *
 * @param lastStep the newest step when it was chosen: whoever decides on it meanwhile is noticed
 * @param version of the payload that is replayed; 0 for the original
 */
public record PlanEntry(DeadLetterId id, int lastStep, int version) {}
