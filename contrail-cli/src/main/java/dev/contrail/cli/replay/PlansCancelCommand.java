package dev.contrail.cli.replay;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Session;
import dev.contrail.operations.replay.ReplayPlans;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanState;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code contrail dlq plans cancel PLAN}: has a replay end between two messages. */
@Command(
    name = "cancel",
    header = "Have a replay end between two messages",
    customSynopsis = "@|bold contrail dlq plans cancel|@ PLAN [OPTIONS]",
    description =
        "Has a replay end between two messages, wherever it runs. What was replayed stays so; the"
            + " rest is open, and contrail dlq plans resume goes on with it.")
final class PlansCancelCommand implements Callable<Integer> {
  private final Tools tools;

  @Mixin private final PlanId plan = new PlanId();
  @Mixin private final Person person = new Person();

  /** What came of it, as scripts see it. */
  record Cancelled(
      String plan, boolean cancelled, String state, Instant stateAt, String stateBy, String why) {}

  PlansCancelCommand(Tools tools) {
    this.tools = tools;
  }

  @Override
  public Integer call() {
    PlanHead head;
    PlanState state;
    try (Session session = tools.sessions().get()) {
      ReplayPlans plans = tools.plans(session);
      head = plan.find(plans);
      state = plans.cancel(head.plan(), person.name());
    }
    boolean cancelled = state.kind() == PlanState.Kind.CANCELLED;
    if (tools.wantsJson()) {
      tools.answerJson(
          new Cancelled(
              head.plan(), cancelled, state.kind().text(), state.at(), state.by(), state.why()));
    } else if (cancelled) {
      tools.answer(
          "Plan "
              + head.plan()
              + " is cancelled; contrail dlq plans resume "
              + head.plan()
              + " goes on with it.");
    } else {
      tools.say("plan " + head.plan() + " is " + state.kind().text() + " already");
    }
    return cancelled ? ExitCode.FINE : ExitCode.FAILED;
  }
}
