package dev.contrail.cli.replay;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.operations.replay.ReplayPlans;
import dev.contrail.plan.PlanAddress;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.UnreadablePlanException;
import picocli.CommandLine.Parameters;

/** Which plan is meant. */
final class PlanId {
  @Parameters(paramLabel = "PLAN", description = "as contrail dlq plans ls shows it")
  @SuppressWarnings("NullAway.Init")
  private String plan;

  /**
   * That plan.
   *
   * @throws CommandFailure when there is none, or it cannot be read
   */
  PlanHead find(ReplayPlans plans) {
    if (!PlanAddress.isPlan(plan)) {
      throw CommandFailure.usage(
          "'" + plan + "' is no plan; contrail dlq plans ls lists those there are");
    }
    try {
      return plans
          .find(plan)
          .orElseThrow(
              () ->
                  CommandFailure.usage(
                      "there is no plan " + plan + "; contrail dlq plans ls lists them"));
    } catch (UnreadablePlanException e) {
      throw CommandFailure.failed(String.valueOf(e.getMessage()), e);
    }
  }
}
