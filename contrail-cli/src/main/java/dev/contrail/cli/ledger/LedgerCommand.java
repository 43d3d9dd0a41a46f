package dev.contrail.cli.ledger;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.LedgerSetting;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code contrail ledger}: the family of commands about completions. */
@Command(
    name = "ledger",
    header = "See which messages are completed, or have them processed again",
    customSynopsis = "@|bold contrail ledger|@ ls | show | forget [OPTIONS]",
    description =
        "A worker records each message that it completed before it acks it. What is recorded is"
            + " acked and not run when the server delivers it again.",
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail ledger ls",
      "  contrail ledger show ORDERS billing",
      "  contrail ledger forget ORDERS billing --from 100 --to 120"
    })
public final class LedgerCommand implements Callable<Integer> {
  /** Variables that set options of these commands beside the usual ones, by the option's key. */
  public static final Map<String, String> MORE_VARIABLES =
      Map.of(
          "ledger.show.ledger", LedgerSetting.VARIABLE,
          "ledger.forget.ledger", LedgerSetting.VARIABLE);

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE;
  }
}
