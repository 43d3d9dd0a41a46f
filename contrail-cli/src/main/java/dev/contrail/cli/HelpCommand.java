package dev.contrail.cli;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Suggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code contrail help work} shows what {@code contrail work --help} shows. */
@Command(
    name = "help",
    header = "Show the help of a command",
    customSynopsis = "@|bold contrail help|@ [COMMAND]")
final class HelpCommand implements Callable<Integer> {
  @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "the command to explain")
  private final List<String> path = new ArrayList<>();

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine command = spec.root().commandLine();
    for (String name : path) {
      CommandLine next = command.getSubcommands().get(name);
      if (next == null) {
        throw CommandFailure.usage(
            "unknown command '"
                + name
                + "'"
                + Suggestion.hint(name, command.getSubcommands().keySet()));
      }
      command = next;
    }
    command.usage(command.getOut());
    return ExitCode.FINE;
  }
}
