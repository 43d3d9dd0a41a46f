package dev.contrail.cli.serve;

import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.StorageOptions;
import dev.contrail.cli.command.Surroundings;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import picocli.CommandLine;

/** The command of this package. */
public final class ServeCommands {
  private ServeCommands() {}

  /** Adds it to {@code contrail}. */
  public static void addTo(
      CommandLine line,
      Surroundings surroundings,
      Supplier<Session> sessions,
      StorageOptions storage,
      BooleanSupplier json) {
    line.addSubcommand(new ServeCommand(surroundings, sessions, storage, json));
  }
}
