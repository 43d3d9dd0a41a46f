package dev.contrail.cli.token;

import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.StorageOptions;
import dev.contrail.cli.command.Surroundings;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import picocli.CommandLine;

/** The commands of this package. */
public final class TokenCommands {
  private TokenCommands() {}

  /** Adds them to {@code contrail}. */
  public static void addTo(
      CommandLine line,
      Surroundings surroundings,
      Supplier<Session> sessions,
      StorageOptions storage,
      BooleanSupplier json) {
    TokenTools tools = new TokenTools(surroundings, sessions, storage, json);
    CommandLine token = new CommandLine(new TokenCommand());
    token.addSubcommand(new TokenNewCommand(tools));
    token.addSubcommand(new TokenLsCommand(tools));
    token.addSubcommand(new TokenRevokeCommand(tools));
    line.addSubcommand(token);
  }
}
