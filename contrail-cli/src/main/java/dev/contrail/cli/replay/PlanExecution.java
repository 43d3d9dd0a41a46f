package dev.contrail.cli.replay;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.StopRequest;
import dev.contrail.cli.output.Progress;
import dev.contrail.operations.replay.PlanReport;
import dev.contrail.operations.replay.ReplayPlans;
import dev.contrail.operations.replay.RunListener;
import dev.contrail.operations.replay.RunResult;
import dev.contrail.operations.replay.StopSign;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanState;
import java.util.List;

/** Carries out a plan in front of somebody: with a bar, until Ctrl-C, and with the tally. */
final class PlanExecution {
  private final Tools tools;
  private final ReplayPlans plans;
  private final PlanHead plan;
  private final String by;
  private final StopSign running = new StopSign();
  private final StopSign waiting = new StopSign();

  PlanExecution(Tools tools, ReplayPlans plans, PlanHead plan, String by) {
    this.tools = tools;
    this.plans = plans;
    this.plan = plan;
    this.by = by;
  }

  /**
   * Runs it for the first time.
   *
   * @param force whether copies are published again that may have been published before
   * @param wait whether to wait for the outcomes
   * @return the exit code
   */
  int begin(boolean force, boolean wait) throws InterruptedException {
    return run(bar -> plans.begin(plan.plan(), by, force, running, listener(bar)), wait);
  }

  /** Runs what is left of it; the same otherwise. */
  int resume(boolean force, boolean wait) throws InterruptedException {
    return run(bar -> plans.run(plan.plan(), by, force, running, listener(bar)), wait);
  }

  private interface Way {
    RunResult run(Progress bar) throws InterruptedException;
  }

  private int run(Way way, boolean wait) throws InterruptedException {
    StopRequest.onSignals(() -> {})
        .whenAsked(
            () -> {
              running.cancel("interrupted");
              waiting.cancel("interrupted");
            });
    RunResult result;
    try (Progress bar = bar("replaying", plan.entries())) {
      result = way.run(bar);
    }
    PlanReport report = plans.report(plan.plan(), by);
    boolean ended = result.state().kind() != PlanState.Kind.CANCELLED;
    if (wait && ended && report.tally().waiting() > 0) {
      report = awaited(report);
    }
    PlanView view = new PlanView(report, result.unsettled());
    show(view);
    return view.isFine() && !(wait && report.tally().waiting() > 0)
        ? ExitCode.FINE
        : ExitCode.FAILED;
  }

  private PlanReport awaited(PlanReport before) throws InterruptedException {
    try (Progress bar = bar("outcomes", before.tally().replayed())) {
      return plans.await(plan.plan(), by, waiting, listener(bar));
    }
  }

  private void show(PlanView view) {
    if (tools.wantsJson()) {
      tools.answerJson(view.whole());
    } else {
      view.print(tools);
    }
  }

  /** Shows how it stands with a plan that this process does not run. */
  static int show(Tools tools, PlanReport report) {
    PlanView view = new PlanView(report, List.of());
    if (tools.wantsJson()) {
      tools.answerJson(view.whole());
    } else {
      view.print(tools);
    }
    boolean underWay = report.state().kind() == PlanState.Kind.RUNNING;
    return view.isFine() || underWay ? ExitCode.FINE : ExitCode.FAILED;
  }

  private Progress bar(String label, int total) {
    return new Progress(
        tools.surroundings().err(),
        tools.surroundings().terminal(),
        label,
        total,
        System::nanoTime);
  }

  private static RunListener listener(Progress bar) {
    return new RunListener() {
      @Override
      public void settled(int done, int of) {
        bar.done(done);
      }

      @Override
      public void notice(String sentence) {
        bar.say(sentence);
      }
    };
  }
}
