package dev.contrail.cli.workers;

import dev.contrail.cli.command.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code contrail workers}: the family of commands about workers. */
@Command(
    name = "workers",
    header = "See what workers are doing, pause them, and let them go on",
    customSynopsis = "@|bold contrail workers|@ COMMAND [OPTIONS]",
    description =
        "Every worker of Contrail, in a program or in a service, tells every 5 s what it is doing."
            + " One that is told to pause does so within a second or two.",
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail workers ls",
      "  contrail workers pause ORDERS billing --because 'the bank is down'",
      "  contrail workers resume ORDERS billing"
    })
final class WorkersCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE;
  }
}
