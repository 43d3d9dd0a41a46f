package dev.contrail.operations.workers;

import java.time.Instant;

/**
 * A look at the workers that went well.
 *
 * @param at when: what is so now may differ the more the longer ago that is
 */
public record Look(Roll roll, Instant at) {}
