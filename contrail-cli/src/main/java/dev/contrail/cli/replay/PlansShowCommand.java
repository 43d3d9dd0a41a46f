package dev.contrail.cli.replay;

import dev.contrail.cli.command.Session;
import dev.contrail.operations.replay.ReplayPlans;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code contrail dlq plans show PLAN}: how it stands with one. */
@Command(
    name = "show",
    header = "Show how far a replay is, and what became of its messages",
    customSynopsis = "@|bold contrail dlq plans show|@ PLAN [OPTIONS]",
    description = "Shows how many were replayed, what became of them, and what went wrong.")
final class PlansShowCommand implements Callable<Integer> {
  private final Tools tools;

  @Mixin private final PlanId plan = new PlanId();
  @Mixin private final Person person = new Person();

  PlansShowCommand(Tools tools) {
    this.tools = tools;
  }

  @Override
  public Integer call() throws InterruptedException {
    try (Session session = tools.sessions().get()) {
      ReplayPlans plans = tools.plans(session);
      return PlanExecution.show(tools, plans.report(plan.find(plans).plan(), person.name()));
    }
  }
}
