package dev.contrail.cli.replay;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Yes;
import dev.contrail.operations.replay.PlanReport;
import dev.contrail.operations.replay.ReplayPlans;
import dev.contrail.plan.PlanHead;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code contrail dlq plans resume PLAN}: goes on with what was stopped or killed. */
@Command(
    name = "resume",
    header = "Go on with a replay that was stopped or killed",
    customSynopsis = "@|bold contrail dlq plans resume|@ PLAN [--wait] [--yes] [OPTIONS]",
    description =
        "Replays what is left of a plan, wherever it was run before. Nothing is replayed a second"
            + " time.",
    footer = {"", "@|bold Example|@", "  contrail dlq plans resume 20260301-100000-k3f --wait"})
final class PlansResumeCommand implements Callable<Integer> {
  private final Tools tools;

  @Mixin private final PlanId plan = new PlanId();
  @Mixin private final Person person = new Person();
  @Mixin private final Yes yes = new Yes();

  @Option(
      names = "--wait",
      fallbackValue = "true",
      description = "wait until all outcomes are known that can be")
  private boolean wait;

  @Option(
      names = "--force",
      fallbackValue = "true",
      description =
          "publish again also what may have been published before to a consumer that is not run by"
              + " Contrail, and take the plan from a process that runs it")
  private boolean force;

  PlansResumeCommand(Tools tools) {
    this.tools = tools;
  }

  @Override
  public Integer call() throws InterruptedException {
    try (Session session = tools.sessions().get()) {
      ReplayPlans plans = tools.plans(session);
      PlanHead head = plan.find(plans);
      PlanReport report = plans.report(head.plan(), person.name());
      int left = report.tally().open();
      if (left > 0 && !yes.asked(tools.surroundings(), question(head, left))) {
        tools.say("nothing was published");
        return ExitCode.FAILED;
      }
      return new PlanExecution(tools, plans, head, person.name()).resume(force, wait);
    }
  }

  private static String question(PlanHead head, int left) {
    return "Publish what is left of plan "
        + head.plan()
        + " by "
        + head.by()
        + ", "
        + left
        + " of "
        + head.entries()
        + "?";
  }
}
