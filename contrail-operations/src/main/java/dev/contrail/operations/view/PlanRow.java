package dev.contrail.operations.view;

import dev.contrail.operations.replay.PlanSummary;
import java.time.Instant;

/** A plan in a list as scripts see it. */
public record PlanRow(
    String plan,
    Instant at,
    String by,
    String chosen,
    int entries,
    int settled,
    String state,
    Instant stateAt,
    String stateBy,
    String why) {
  public static PlanRow of(PlanSummary plan) {
    return new PlanRow(
        plan.head().plan(),
        plan.head().at(),
        plan.head().by(),
        plan.head().chosen(),
        plan.head().entries(),
        plan.settled(),
        plan.state().kind().text(),
        plan.state().at(),
        plan.state().by(),
        plan.state().why());
  }
}
