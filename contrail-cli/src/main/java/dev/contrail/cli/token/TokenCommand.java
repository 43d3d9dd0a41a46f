package dev.contrail.cli.token;

import dev.contrail.cli.command.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code contrail token}: the family of commands about who may use the console. */
@Command(
    name = "token",
    header = "Say who may use the console of contrail serve",
    customSynopsis = "@|bold contrail token|@ COMMAND [OPTIONS]",
    description = {
      "As soon as there is a token, the console and its API are answered to those who have one.",
      "Only hashes are stored, in JetStream, so that every contrail serve of the account knows"
          + " them."
    },
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail token new ann --role operator",
      "  contrail token new grafana --role viewer",
      "  contrail token ls",
      "  contrail token revoke k3f7abcd"
    })
final class TokenCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE;
  }
}
