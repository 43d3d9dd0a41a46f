package dev.contrail.cli.orphans;

import dev.contrail.cli.command.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code contrail orphans}: the family of commands about messages that nobody takes. */
@Command(
    name = "orphans",
    header = "Find messages that nobody takes, and take them away",
    customSynopsis = "@|bold contrail orphans|@ scan | reap [OPTIONS]",
    description =
        "Messages wait for ever on subjects that no consumer claims, after their last delivery, and"
            + " for durables that nobody reads from any more.",
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail orphans scan",
      "  contrail orphans reap --older-than 24h ORDERS",
      "  contrail orphans reap --older-than 24h ORDERS --yes"
    })
final class OrphansCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE;
  }
}
