package dev.contrail.cli.doctor;

import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Surroundings;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import picocli.CommandLine;

/** The command of this package. */
public final class DoctorCommands {
  private DoctorCommands() {}

  /** Adds it to {@code contrail}. */
  public static void addTo(
      CommandLine line,
      Surroundings surroundings,
      Supplier<Session> sessions,
      BooleanSupplier json) {
    line.addSubcommand(new DoctorCommand(surroundings, sessions, json));
  }
}
