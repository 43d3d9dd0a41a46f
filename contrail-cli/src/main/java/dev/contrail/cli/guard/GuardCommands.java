package dev.contrail.cli.guard;

import dev.contrail.cli.replay.Tools;
import picocli.CommandLine;

/** The commands of this package. */
public final class GuardCommands {
  private GuardCommands() {}

  /** Adds them to the program. */
  public static void addTo(CommandLine line, Tools tools) {
    line.addSubcommand(new GuardCommand(tools));
  }
}
