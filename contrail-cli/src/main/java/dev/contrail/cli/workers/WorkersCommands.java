package dev.contrail.cli.workers;

import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.StorageOptions;
import dev.contrail.cli.command.Surroundings;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import picocli.CommandLine;

/** The commands of this package. */
public final class WorkersCommands {
  private WorkersCommands() {}

  /** Adds them to {@code contrail}. */
  public static void addTo(
      CommandLine line,
      Surroundings surroundings,
      Supplier<Session> sessions,
      StorageOptions storage,
      BooleanSupplier json) {
    WorkersTools tools = new WorkersTools(surroundings, sessions, storage, json);
    CommandLine workers = new CommandLine(new WorkersCommand());
    workers.addSubcommand(new WorkersLsCommand(tools));
    workers.addSubcommand(new WorkersPauseCommand(tools));
    workers.addSubcommand(new WorkersResumeCommand(tools));
    line.addSubcommand(workers);
  }
}
