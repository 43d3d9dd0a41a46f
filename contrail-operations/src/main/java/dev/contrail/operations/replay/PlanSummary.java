package dev.contrail.operations.replay;

import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanState;

/**
 * A plan in a list.
 *
 * @param settled how many of its entries were replayed, left out or could not be
 */
public record PlanSummary(PlanHead head, PlanState state, int settled) {}
