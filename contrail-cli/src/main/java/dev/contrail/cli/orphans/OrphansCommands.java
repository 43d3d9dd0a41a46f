package dev.contrail.cli.orphans;

import dev.contrail.cli.replay.Tools;
import picocli.CommandLine;

/** The commands of this package. */
public final class OrphansCommands {
  private OrphansCommands() {}

  /** Adds them to the program. */
  public static void addTo(CommandLine line, Tools tools) {
    CommandLine orphans = new CommandLine(new OrphansCommand());
    orphans.addSubcommand(new OrphansScanCommand(tools));
    orphans.addSubcommand(new OrphansReapCommand(tools));
    line.addSubcommand(orphans);
  }
}
