/**
 * The stored form of replay plans: which dead letters are to be replayed and how ({@link
 * dev.contrail.plan.PlanHead}, {@link dev.contrail.plan.PlanEntry}), how far that is ({@link
 * dev.contrail.plan.PlanProgress}), and who runs or ended it ({@link dev.contrail.plan.PlanState}).
 */
@NullMarked
package dev.contrail.plan;

import org.jspecify.annotations.NullMarked;
