package dev.contrail.cli;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.ProgramOptions;
import dev.contrail.cli.command.RedactionOptions;
import dev.contrail.cli.command.StorageOptions;
import dev.contrail.cli.connect.ConnectionOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code contrail} without a command: says which there are. */
@Command(
    name = "contrail",
    scope = ScopeType.INHERIT,
    versionProvider = Version.class,
    subcommands = HelpCommand.class,
    sortOptions = false,
    customSynopsis = "@|bold contrail|@ COMMAND [OPTIONS]",
    descriptionHeading = "%n",
    commandListHeading = "",
    description = "Production-safe consumers for NATS JetStream.",
    footer = {
      "",
      "@|bold Settings|@",
      "  Every option can also be set in contrail.yaml and by a variable:",
      "    contrail.yaml   work:",
      "                      ack-wait: 30s",
      "    variable        CONTRAIL_WORK_ACK_WAIT=30s",
      "    flag            contrail work --ack-wait 30s",
      "  A flag goes before a variable, a variable before contrail.yaml.",
      "",
      "@|bold Exit codes|@",
      "  0 fine, 1 findings or failures, 2 wrong usage, 3 no server",
      "",
      "@|bold Examples|@",
      "  contrail work ORDERS billing --exec ./charge.sh",
      "  contrail help work"
    })
final class ContrailCommand implements Callable<Integer> {
  @Mixin final ConnectionOptions connection = new ConnectionOptions();
  @Mixin final ProgramOptions program = new ProgramOptions();
  @Mixin final StorageOptions storage = new StorageOptions();
  @Mixin final RedactionOptions redaction = new RedactionOptions();

  @Spec
  @SuppressWarnings("NullAway.Init")
  CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE;
  }
}
