package dev.contrail.cli.serve;

import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.StorageOptions;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.redaction.Redaction;
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
      BooleanSupplier json,
      Supplier<Redaction> redaction) {
    line.addSubcommand(new ServeCommand(surroundings, sessions, storage, json, redaction));
  }
}
