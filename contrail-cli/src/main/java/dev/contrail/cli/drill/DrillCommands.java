package dev.contrail.cli.drill;

import dev.contrail.cli.command.ProgramOptions;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.connect.Connections;
import dev.contrail.cli.drill.worker.DrillWorkerCommand;
import dev.contrail.jetstream.HeaderGuardDataPort;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine;

/** The commands of drills. */
public final class DrillCommands {
  private DrillCommands() {}

  /**
   * Adds them.
   *
   * @param sessions connect through a data port
   */
  public static void addTo(
      CommandLine line,
      Surroundings surroundings,
      Supplier<Connections> connections,
      Function<Class<? extends HeaderGuardDataPort>, Session> sessions,
      ProgramOptions program) {
    line.addSubcommand(
        new DrillCommand(
            surroundings, connections, () -> sessions.apply(HeaderGuardDataPort.class), program));
    line.addSubcommand(new DrillWorkerCommand(sessions));
  }
}
