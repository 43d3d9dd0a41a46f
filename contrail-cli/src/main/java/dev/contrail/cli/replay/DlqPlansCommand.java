package dev.contrail.cli.replay;

import dev.contrail.cli.command.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code contrail dlq plans}: the family of commands about replays. */
@Command(
    name = "plans",
    header = "List, resume and cancel replays",
    customSynopsis = "@|bold contrail dlq plans|@ ls | show PLAN | resume PLAN | cancel PLAN",
    description = "Every replay is stored as a plan, with how far it is.",
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail dlq plans ls",
      "  contrail dlq plans show 20260301-100000-k3f",
      "  contrail dlq plans resume 20260301-100000-k3f --wait"
    })
final class DlqPlansCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE;
  }
}
