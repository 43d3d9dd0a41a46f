package dev.contrail.cli.dlq;

import dev.contrail.cli.command.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code contrail dlq}: the family of commands about dead letters. */
@Command(
    name = "dlq",
    header = "See what died, and why, and repair it",
    customSynopsis = "@|bold contrail dlq|@ COMMAND [OPTIONS]",
    description =
        "A message that cannot be processed is kept as a dead letter: its payload and headers byte"
            + " for byte, and what it died of.",
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail dlq ls",
      "  contrail dlq ls --stream ORDERS --reason rejected --json",
      "  contrail dlq show ORDERS.billing.ho77nadw1d.42",
      "  contrail dlq show ORDERS.billing.ho77nadw1d.42 --payload > order.json",
      "  contrail dlq replay --stream ORDERS --reason rejected --dry-run"
    })
public final class DlqCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE;
  }
}
