package dev.contrail.cli.publish;

import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Surroundings;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import picocli.CommandLine;

/** The command of this package. */
public final class PublishCommands {
  private PublishCommands() {}

  /** Adds it to {@code contrail}. */
  public static void addTo(
      CommandLine line,
      Surroundings surroundings,
      Supplier<Session> sessions,
      BooleanSupplier json) {
    line.addSubcommand(new PublishCommand(surroundings, sessions, json, System.in));
  }
}
