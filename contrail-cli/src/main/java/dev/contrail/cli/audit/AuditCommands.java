package dev.contrail.cli.audit;

import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Surroundings;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import picocli.CommandLine;

/** The commands of this package. */
public final class AuditCommands {
  private AuditCommands() {}

  /** Adds them to the program. */
  public static void addTo(
      CommandLine line,
      Surroundings surroundings,
      Supplier<Session> sessions,
      BooleanSupplier json) {
    line.addSubcommand(new AuditCommand(surroundings, sessions, json));
  }
}
